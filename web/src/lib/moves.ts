/** What can be tapped, from the legal moves alone: no rule of any game is known here. */

import type { Ask, Book } from './protocol';

export const SEPARATOR = ' + ';

/** The controls for a question. Everything that can be chosen is in exactly one of these lists. */
export interface Controls {
  /** Cards of one's own hand. */
  hand: string[];
  /** Cards that lie elsewhere: in a market, before somebody, among events. */
  cards: string[];
  seats: string[];
  /** Suits or colours to name, with the move for each. */
  suits: Choice[];
  /** Numbers to name. */
  numbers: Choice[];
  /** All else: pass, draw, take. */
  words: string[];
  /** Whether several words together are one move. */
  several: boolean;
}

export interface Choice {
  word: string;
  move: string;
}

/** The words of which moves consist, each once. */
export function wordsIn(ask: Ask): string[] {
  if (ask.moves.length === 0) return ask.words ?? [];
  return [...new Set(ask.moves.flatMap((move) => move.split(SEPARATOR)))];
}

export function isSeveral(ask: Ask): boolean {
  return ask.moves.length === 0 || ask.moves.some((move) => move.includes(SEPARATOR));
}

export function controlsOf(ask: Ask, book: Book, hand: string[], seats: string[]): Controls {
  const cards = new Set(book.cards.map((card) => card.id));
  const controls: Controls = { hand: [], cards: [], seats: [], suits: [], numbers: [], words: [], several: isSeveral(ask) };
  for (const word of wordsIn(ask)) {
    const last = word.slice(word.lastIndexOf(' ') + 1);
    if (cards.has(word)) (hand.includes(word) ? controls.hand : controls.cards).push(word);
    else if (seats.includes(word)) controls.seats.push(word);
    else if (last in book.suits) controls.suits.push({ word: last, move: word });
    else if (/^-?\d+$/.test(last)) controls.numbers.push({ word: last, move: word });
    else controls.words.push(word);
  }
  return controls;
}

/** Whether two choices consist of the same words, in whatever order. */
export function isSame(one: string[], other: string[]): boolean {
  return one.length === other.length && [...one].sort().join('\n') === [...other].sort().join('\n');
}

/** The move that consists of just these words. */
export function moveOf(ask: Ask, chosen: string[]): string | undefined {
  return ask.moves.find((move) => isSame(move.split(SEPARATOR), chosen));
}

/** The words that, beside those chosen, still lead to a move. */
export function goingOn(ask: Ask, chosen: string[]): Set<string> {
  const found = new Set<string>();
  for (const move of ask.moves) {
    const left = without(move.split(SEPARATOR), chosen);
    left?.forEach((word) => found.add(word));
  }
  return found;
}

/** The words less those taken away; nothing if one of those is not among them. */
export function without(words: string[], taken: string[]): string[] | undefined {
  const left = [...words];
  for (const word of taken) {
    const at = left.indexOf(word);
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  return left;
}
