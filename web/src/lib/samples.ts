/** A few cards that show what a game looks like. */

import type { Book, Card } from './protocol';

/** High cards of as many suits as possible, without cards whose name is rude. */
export function sampleCards(book: Book, count: number): Card[] {
  const polite = book.cards.filter((card) => !card.mild);
  const suits = [...new Set(polite.map((card) => card.suit ?? '').filter((suit) => suit !== ''))];
  const high = suits.slice(0, count).map((suit, index) => polite.filter((card) => card.suit === suit).at(-1 - index));
  const found = high.filter((card) => card !== undefined);
  return [...found, ...polite.filter((card) => !found.includes(card))].slice(0, count);
}
