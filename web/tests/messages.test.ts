import { expect, test } from 'vitest';
import { faults, usesIn } from '../messages-plugin';
import { fillTemplate } from '../src/messages/index.svelte';

test('every text is translated, has the same facts in all languages, and is used', () => {
  expect(faults()).toEqual([]);
});

function used(code: string): string[] {
  const { keys, prefixes } = usesIn(`import texts from '../messages/table.json';\nconst t = translator(texts);\n${code}`, 'table.json');
  return [...keys, ...prefixes];
}

test('a text is used by a call of the translator, not by any equal string', () => {
  expect(used(`t('your turn')`)).toEqual(['your turn']);
  expect(used(`t('won', { n: list('lost').length })`)).toEqual(['won']);
  expect(used(`t(kind === 'play' ? 'played' : isLate ? 'late' : 'passed')`)).toEqual(['played', 'late', 'passed']);
  expect(used('t(`pace ${now.pace}`)')).toEqual(['pace ']);
  expect(used(`send({ kind: 'play' }); split('play'); table.t('play')`)).toEqual([]);
  expect(usesIn(`const t = translator(texts); t('play')`, 'table.json').keys.size).toBe(0);
});

test('where a key is computed, every quoted string in the file counts as used', () => {
  expect(used(`const page: 'menu' | 'leave' = next(); t(page)`)).toEqual(expect.arrayContaining(['menu', 'leave']));
  expect(used("const key = `right ${what}`; t(key)")).toContain('right ');
});

test('a number chooses the plural form', () => {
  expect(fillTemplate('{n} {n:card|cards}', { n: 1 }, 'en')).toBe('1 card');
  expect(fillTemplate('{n} {n:card|cards}', { n: 0 }, 'en')).toBe('0 cards');
  expect(fillTemplate('{n} {n:Karte|Karten}', { n: 2 }, 'de')).toBe('2 Karten');
  expect(fillTemplate('{n}枚', { n: 1 }, 'ja')).toBe('1枚');
  expect(fillTemplate('{name}', { name: '{n:a|b}' }, 'en')).toBe('{n:a|b}');
});
