/** A Vite plugin that fails the build if a text is not translated or not used. */

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), 'src');
const LANGUAGES = ['de', 'en', 'ja'];

/** The faults of the texts, a sentence each. */
export function faults(source: string = SOURCE): string[] {
  const codes = files(source)
    .filter((file) => /\.(ts|svelte)$/.test(file))
    .map((file) => readFileSync(file, 'utf-8'));
  const found: string[] = [];
  for (const name of readdirSync(join(source, 'messages')).filter((name) => name.endsWith('.json'))) {
    const texts = JSON.parse(readFileSync(join(source, 'messages', name), 'utf-8')) as Record<string, Record<string, string>>;
    const uses = codes.map((code) => usesIn(code, name));
    for (const [key, translations] of Object.entries(texts)) {
      const where = `${name}: ${key}`;
      if (Object.keys(translations).sort().join() !== LANGUAGES.join()) found.push(`${where}: must be translated into ${LANGUAGES.join(', ')}`);
      if (Object.values(translations).some((text) => !text.trim())) found.push(`${where}: is empty in one language`);
      if (new Set(Object.values(translations).map(factsIn)).size > 1) found.push(`${where}: has different facts in different languages`);
      if (!uses.some(({ keys, prefixes }) => keys.has(key) || [...prefixes].some((one) => key.startsWith(one))))
        found.push(`${where}: is not used`);
    }
  }
  return found;
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** The facts that the text contains; those that only choose a plural form do not count. */
function factsIn(text: string): string {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort().join();
}

// Uses --------------------------------------------------------------------------------------------

/** The keys that a file uses, and the prefixes of keys that it computes. */
interface Uses {
  keys: Set<string>;
  prefixes: Set<string>;
}

const LITERAL = /^(['"])(.*)\1$/;
const TEMPLATE = /^`([a-z][\w ]* )\$\{/;

/** The keys of a file of texts that the code uses: t('key'), t(`prefix ${…}`), or either of them after a condition. */
export function usesIn(code: string, textsFile: string): Uses {
  const uses: Uses = { keys: new Set(), prefixes: new Set() };
  const name = new RegExp(`import (\\w+) from '[./]*(?:messages/)?${textsFile}'`).exec(code)?.[1];
  if (name === undefined) return uses;
  for (const [, translate = ''] of code.matchAll(new RegExp(`(\\w+) = translator\\(${name}\\)`, 'g')))
    for (const call of code.matchAll(new RegExp(`(?<![\\w.])${translate}\\(`, 'g')))
      for (const result of resultsOf(firstArgument(code.slice(call.index + call[0].length)))) {
        const key = LITERAL.exec(result)?.[2];
        const prefix = TEMPLATE.exec(result)?.[1];
        if (key !== undefined) uses.keys.add(key);
        else if (prefix !== undefined) uses.prefixes.add(prefix);
        else addAllStrings(code, uses);
      }
  return uses;
}

/** Where a key is computed, any quoted string in the file may be one. */
function addAllStrings(code: string, uses: Uses): void {
  for (const [, , key = ''] of code.matchAll(/(['"])([^'"\n]+)\1/g)) uses.keys.add(key);
  for (const [, prefix = ''] of code.matchAll(new RegExp(TEMPLATE.source.slice(1), 'g'))) uses.prefixes.add(prefix);
}

/** The first argument of a call, from what follows its opening bracket. */
function firstArgument(rest: string): string {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < rest.length; at++) {
    const character = rest.charAt(at);
    if (quote) quote = character === quote ? '' : quote;
    else if (`'"\``.includes(character)) quote = character;
    else if ('([{'.includes(character)) depth += 1;
    else if (depth === 0 && ',)'.includes(character)) return rest.slice(0, at).trim();
    else if (')]}'.includes(character)) depth -= 1;
  }
  return rest;
}

/** The possible results of an expression: for `a ? b : c` these are b and c. */
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
