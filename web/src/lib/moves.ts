/** What can be tapped, from the legal moves alone: the client knows no rules. */

import type { Ask, Book } from './protocol';

/** A move of several cards is compound: "diamond 10 + heart 10". Its cards are its words. */
export const SEPARATOR = ' + ';

/** The controls for a question. Every word of the legal moves is in exactly one of these lists. */
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
  isCompound: boolean;
}

interface Choice {
  word: string;
  move: string;
}

/** The words of all legal moves, each once. */
export function wordsIn(ask: Ask): string[] {
  if (ask.moves.length === 0) return ask.words ?? [];
  return [...new Set(ask.moves.flatMap((move) => move.split(SEPARATOR)))];
}

/** Whether several words together may be one move; the server lists no moves where there are too many. */
export function hasCompoundMoves(ask: Ask): boolean {
  return ask.moves.length === 0 || ask.moves.some((move) => move.includes(SEPARATOR));
}

export function controlsOf(ask: Ask, book: Book, hand: string[], seats: string[]): Controls {
  const cards = new Set(book.cards.map((card) => card.id));
  const controls: Controls = { hand: [], cards: [], seats: [], suits: [], numbers: [], words: [], isCompound: hasCompoundMoves(ask) };
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

/** The legal move that consists of exactly these words, in any order. */
export function moveOf(ask: Ask, selected: string[]): string | undefined {
  return ask.moves.find((move) => without(move.split(SEPARATOR), selected)?.length === 0);
}

/** The words that, together with those selected, still lead to a legal move. */
export function continuations(ask: Ask, selected: string[]): Set<string> {
  return new Set(ask.moves.flatMap((move) => without(move.split(SEPARATOR), selected) ?? []));
}

/** The words less those taken away; undefined if one of those is not among them. */
export function without(words: string[], taken: string[]): string[] | undefined {
  const left = [...words];
  for (const word of taken) {
    const index = left.indexOf(word);
    if (index < 0) return undefined;
    left.splice(index, 1);
  }
  return left;
}
