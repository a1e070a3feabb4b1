/** The letter that tells a suit from the others of its game. */

import type { Book } from '../lib/protocol';

const known = new WeakMap<Book, Map<string, string>>();

/** The suits that a suit consists of: "red-blue" is red and blue, every other one is itself. */
export function partsOf(suit: string, book: Book): string[] {
  const parts = suit.split('-');
  return parts.length > 1 && parts.every((part) => part in book.suits) ? parts : [suit];
}

export function letterOf(suit: string, book: Book): string {
  let letters = known.get(book);
  if (!letters) known.set(book, (letters = lettersOf(book)));
  return letters.get(suit) ?? '';
}

function lettersOf(book: Book): Map<string, string> {
  const single = Object.entries(book.suits).filter(([suit]) => partsOf(suit, book).length === 1);
  const names = single.map(([, suit]) => [...suit.name.toLocaleLowerCase(book.language)]);
  return new Map(single.map(([suit], place) => [suit, shortest(names, place, book.language)]));
}

/** The first letter; if others begin with it, also the first one that none of them has there: Sword Sw, Shield Sh. */
function shortest(names: string[][], place: number, language: string): string {
  const name = names[place] ?? [];
  const rivals = names.filter((other, index) => index !== place && other[0] === name[0]);
  const first = (name[0] ?? '').toLocaleUpperCase(language);
  if (!rivals.length) return first;
  const different = name.findIndex((letter, index) => rivals.every((rival) => rival[index] !== letter));
  return different > 0 ? first + (name[different] ?? '') : first + name.slice(1).join('');
}
