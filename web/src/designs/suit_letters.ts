/** The letter that distinguishes a suit from the others of its game. */

import type { Book } from '../lib/protocol';

const cache = new WeakMap<Book, Map<string, string>>();

/** The suits of a card of two colours, "red-blue"; otherwise the suit itself. */
export function suitsIn(suit: string, book: Book): string[] {
  const parts = suit.split('-');
  return parts.length > 1 && parts.every((part) => part in book.suits) ? parts : [suit];
}

export function letterOf(suit: string, book: Book): string {
  let letters = cache.get(book);
  if (!letters) cache.set(book, (letters = lettersOf(book)));
  return letters.get(suit) ?? '';
}

function lettersOf(book: Book): Map<string, string> {
  const single = Object.entries(book.suits).filter(([suit]) => suitsIn(suit, book).length === 1);
  const names = single.map(([, suit]) => [...suit.name.toLocaleLowerCase(book.language)]);
  return new Map(single.map(([suit], index) => [suit, shortest(names, index, book.language)]));
}

/** The first letter; if other suits share it, also the first letter that differs: Sword Sw, Shield Sh. */
function shortest(names: string[][], own: number, language: string): string {
  const name = names[own] ?? [];
  const rivals = names.filter((other, index) => index !== own && other[0] === name[0]);
  const first = (name[0] ?? '').toLocaleUpperCase(language);
  if (!rivals.length) return first;
  const different = name.findIndex((letter, index) => rivals.every((rival) => rival[index] !== letter));
  return different > 0 ? first + (name[different] ?? '') : first + name.slice(1).join('');
}
