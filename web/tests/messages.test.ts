import { expect, test } from 'vitest';
import { faults } from '../messages-plugin';
import { filled } from '../src/messages/index.svelte';

test('every text is there in every language, with the same facts, and is used', () => {
  expect(faults()).toEqual([]);
});

test('a number chooses the form that the language has for it', () => {
  expect(filled('{n} {n:card|cards}', { n: 1 }, 'en')).toBe('1 card');
  expect(filled('{n} {n:card|cards}', { n: 0 }, 'en')).toBe('0 cards');
  expect(filled('{n} {n:Karte|Karten}', { n: 2 }, 'de')).toBe('2 Karten');
  expect(filled('{n}枚', { n: 1 }, 'ja')).toBe('1枚');
  expect(filled('{name}', { name: '{n:a|b}' }, 'en')).toBe('{n:a|b}');
});
