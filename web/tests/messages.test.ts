import { expect, test } from 'vitest';
import { faults, usesIn } from '../messages-plugin';
import { filled } from '../src/messages/index.svelte';

test('every text is there in every language, with the same facts, and is used', () => {
  expect(faults()).toEqual([]);
});

function used(code: string): string[] {
  const { keys, beginnings } = usesIn(`import texts from '../messages/table.json';\nconst t = words(texts);\n${code}`, 'table.json');
  return [...keys, ...beginnings];
}

test('a text is used where it is said, and not where something else has its name', () => {
  expect(used(`t('your turn')`)).toEqual(['your turn']);
  expect(used(`t('won', { n: list('lost').length })`)).toEqual(['won']);
  expect(used(`t(kind === 'play' ? 'played' : isLate ? 'late' : 'passed')`)).toEqual(['played', 'late', 'passed']);
  expect(used('t(`pace ${now.pace}`)')).toEqual(['pace ']);
  expect(used(`send({ kind: 'play' }); split('play'); table.t('play')`)).toEqual([]);
  expect(usesIn(`const t = words(texts); t('play')`, 'table.json').keys.size).toBe(0);
});

test('where a key is computed, all that stands in quotes beside it may be meant', () => {
  expect(used(`const page: 'menu' | 'leave' = next(); t(page)`)).toEqual(expect.arrayContaining(['menu', 'leave']));
  expect(used("const key = `right ${what}`; t(key)")).toContain('right ');
});

test('a number chooses the form that the language has for it', () => {
  expect(filled('{n} {n:card|cards}', { n: 1 }, 'en')).toBe('1 card');
  expect(filled('{n} {n:card|cards}', { n: 0 }, 'en')).toBe('0 cards');
  expect(filled('{n} {n:Karte|Karten}', { n: 2 }, 'de')).toBe('2 Karten');
  expect(filled('{n}枚', { n: 1 }, 'ja')).toBe('1枚');
  expect(filled('{name}', { name: '{n:a|b}' }, 'en')).toBe('{n:a|b}');
});
