/** Fails the build where a text is missing in a language, or is used nowhere. */

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), 'src');
const LANGUAGES = ['de', 'en', 'ja'];

/** What is wrong with the texts, a sentence for each. */
export function faults(source: string = SOURCE): string[] {
  const codes = files(source)
    .filter((file) => /\.(ts|svelte)$/.test(file))
    .map((file) => readFileSync(file, 'utf-8'));
  const found: string[] = [];
  for (const name of readdirSync(join(source, 'messages')).filter((name) => name.endsWith('.json'))) {
    const area = JSON.parse(readFileSync(join(source, 'messages', name), 'utf-8')) as Record<string, Record<string, string>>;
    const code = codes.filter((one) => one.includes(`messages/${name}`) || one.includes(`./${name}`)).join('\n');
    for (const [key, texts] of Object.entries(area)) {
      const where = `${name}: ${key}`;
      if (Object.keys(texts).sort().join() !== LANGUAGES.join()) found.push(`${where}: must be in ${LANGUAGES.join(', ')}`);
      if (Object.values(texts).some((text) => !text.trim())) found.push(`${where}: is empty in a language`);
      if (new Set(Object.values(texts).map(factsIn)).size > 1) found.push(`${where}: has other facts in another language`);
      if (!isUsed(key, code)) found.push(`${where}: is used nowhere`);
    }
  }
  return found;
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** The facts that must be said; one that only chooses a form need not be. */
function factsIn(text: string): string {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort().join();
}

/** Said as 'key', or as `beginning ${…}` where it depends on something. */
function isUsed(key: string, code: string): boolean {
  if (code.includes(`'${key}'`) || code.includes(`"${key}"`)) return true;
  return [...code.matchAll(/`([a-z][\w ]* )\$\{/g)].some((found) => key.startsWith(found[1] ?? key));
}

export function messages(): Plugin {
  return {
    name: 'fuda-messages',
    apply: 'build',
    buildStart() {
      const wrong = faults();
      if (wrong.length) this.error(`Texts of the client:\n${wrong.join('\n')}`);
    },
  };
}
