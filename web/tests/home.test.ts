import { expect, test, vi } from 'vitest';

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en'] }));

import { withPlayers } from '../src/lib/player_names';
import { sampleCards } from '../src/lib/samples';
import type { Book, Card } from '../src/lib/protocol';
import { settings } from '../src/lib/settings.svelte';

function book(cards: Card[]): Book {
  return { cards } as Book;
}

const card = (id: string, suit = '', mild = ''): Card => ({ id, name: id, suit, mild });

test('the samples are high cards of different suits', () => {
  const cards = ['red', 'blue', 'green', 'black'].flatMap((suit) => [1, 2, 3].map((rank) => card(`${suit} ${rank}`, suit)));
  expect(sampleCards(book(cards), 3).map((one) => one.id)).toEqual(['red 3', 'blue 2', 'green 1']);
});

test('a game with few suits, or none, shows other cards', () => {
  expect(sampleCards(book([card('red 1', 'red'), card('fool'), card('sage')]), 3).map((one) => one.id)).toEqual(['red 1', 'fool', 'sage']);
  expect(sampleCards(book([card('fool')]), 3)).toHaveLength(1);
  expect(sampleCards(book([]), 3)).toEqual([]);
});

test('rude cards are no samples', () => {
  expect(sampleCards(book([card('rude', '', 'kind'), card('fool')]), 3).map((one) => one.id)).toEqual(['fool']);
});

test('names are isolated, and listed as usual in the language', () => {
  const plain = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '');
  settings.language = 'en';
  expect(plain(withPlayers(['Ben', 'Cleo', 'Dora']))).toBe('with Ben, Cleo and Dora');
  expect(withPlayers(['Ben'])).toBe('with \u2068Ben\u2069');
  expect(withPlayers([])).toBe('Nobody else has joined yet');
  settings.language = 'ja';
  expect(plain(withPlayers(['Ben', 'Cleo']))).toBe('Ben、Cleoと');
  settings.language = 'en';
});
