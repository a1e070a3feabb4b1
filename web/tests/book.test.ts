import { expect, test } from 'vitest';
import { bookWith } from '../src/lib/book.svelte';
import { book } from './small_book';

test('a card has the text that belongs to the options', () => {
  const small = book('en');
  const [first, ...others] = small.cards;
  const cards = [{ ...first!, text: 'Points.', variants: { 'scored false': 'No points.' } }, ...others];
  const changed = { ...small, cards };
  expect(bookWith(changed, { scored: true }).cards[0]!.text).toBe('Points.');
  expect(bookWith(changed, { addon: true, scored: false }).cards[0]!.text).toBe('No points.');
  expect(bookWith(changed, { scored: false }).cards.slice(1)).toEqual(others);
});
