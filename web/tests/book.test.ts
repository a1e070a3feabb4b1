import { expect, test } from 'vitest';
import { bookWith } from '../src/lib/book.svelte';
import { book } from './small_book';

test('a card has the text that belongs to the options', () => {
  const small = book('en');
  const cards = small.cards.map((card, at) => (at === 0 ? { ...card, text: 'Points.', variants: { 'scored false': 'No points.' } } : card));
  const textsWith = (options: Record<string, unknown>) => bookWith({ ...small, cards }, options).cards.map((card) => card.text);
  const others = small.cards.slice(1).map((card) => card.text);
  expect(textsWith({ scored: true })).toEqual(['Points.', ...others]);
  expect(textsWith({ addon: true, scored: false })).toEqual(['No points.', ...others]);
});
