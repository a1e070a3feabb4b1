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
    const uses = codes.map((code) => usesIn(code, name));
    for (const [key, texts] of Object.entries(area)) {
      const where = `${name}: ${key}`;
      if (Object.keys(texts).sort().join() !== LANGUAGES.join()) found.push(`${where}: must be in ${LANGUAGES.join(', ')}`);
      if (Object.values(texts).some((text) => !text.trim())) found.push(`${where}: is empty in a language`);
      if (new Set(Object.values(texts).map(factsIn)).size > 1) found.push(`${where}: has other facts in another language`);
      if (!uses.some(({ keys, beginnings }) => keys.has(key) || [...beginnings].some((one) => key.startsWith(one))))
        found.push(`${where}: is used nowhere`);
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

// What is used ------------------------------------------------------------------------------------

/** The texts that a file may say: these, and all that begin so. */
interface Uses {
  keys: Set<string>;
  beginnings: Set<string>;
}

const LITERAL = /^(['"])(.*)\1$/;
const TEMPLATE = /^`([a-z][\w ]* )\$\{/;

/** What the code says of an area: as t('key'), t(`beginning ${…}`), or either of them after a condition. */
export function usesIn(code: string, area: string): Uses {
  const uses: Uses = { keys: new Set(), beginnings: new Set() };
  const name = new RegExp(`import (\\w+) from '[./]*(?:messages/)?${area}'`).exec(code)?.[1];
  if (name === undefined) return uses;
  for (const [, say = ''] of code.matchAll(new RegExp(`(\\w+) = words\\(${name}\\)`, 'g')))
    for (const call of code.matchAll(new RegExp(`(?<![\\w.])${say}\\(`, 'g')))
      for (const said of resultsOf(firstArgument(code.slice(call.index + call[0].length)))) {
        const key = LITERAL.exec(said)?.[2];
        const beginning = TEMPLATE.exec(said)?.[1];
        if (key !== undefined) uses.keys.add(key);
        else if (beginning !== undefined) uses.beginnings.add(beginning);
        else takeAll(code, uses);
      }
  return uses;
}

/** Where a key is computed, whatever stands in quotes in that file may be one. */
function takeAll(code: string, uses: Uses): void {
  for (const [, , key = ''] of code.matchAll(/(['"])([^'"\n]+)\1/g)) uses.keys.add(key);
  for (const [, beginning = ''] of code.matchAll(new RegExp(TEMPLATE.source.slice(1), 'g'))) uses.beginnings.add(beginning);
}

/** From what comes after the opening bracket of a call, up to the comma or bracket that ends its first argument. */
function firstArgument(rest: string): string {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < rest.length; at++) {
    const sign = rest.charAt(at);
    if (quote) quote = sign === quote ? '' : quote;
    else if (`'"\``.includes(sign)) quote = sign;
    else if ('([{'.includes(sign)) depth += 1;
    else if (depth === 0 && ',)'.includes(sign)) return rest.slice(0, at).trim();
    else if (')]}'.includes(sign)) depth -= 1;
  }
  return rest;
}

/** What an expression can come to: of `a ? b : c` that is b and c. */
function resultsOf(expression: string): string[] {
  const pieces = expression.split(/\s([?:])\s/);
  return pieces.filter((_, at) => at % 2 === 0 && pieces[at + 1] !== '?').map((piece) => piece.trim());
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
