/** A few cards of a game to show what it looks like. */

import type { Book, Card } from './protocol';

/** High cards of as many suits as can be had; none with a name that not everybody likes to read. */
export function samplesOf(book: Book, size: number): Card[] {
  const friendly = book.cards.filter((card) => !card.mild);
  const suits = [...new Set(friendly.map((card) => card.suit ?? '').filter((suit) => suit !== ''))];
  const shown = suits.slice(0, size).map((suit, at) => friendly.filter((card) => card.suit === suit).at(-1 - at));
  const found = shown.filter((card) => card !== undefined);
  return [...found, ...friendly.filter((card) => !found.includes(card))].slice(0, size);
}
