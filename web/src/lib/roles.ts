/**
 * What the fields and notes of a game mean to the table. This is the only module that knows names of fields, notes and facts,
 * the engine's classes of fields, and the English article in facts.
 */

import type { Book, FieldText } from './protocol';
import type { Note, View } from './view';

/** What a field is to the table; everything else is shown by the shape of its value. */
export type Role =
  | 'hand'
  | 'total'
  | 'trick'
  | 'leader'
  | 'turn'
  /** Cards in front of each seat. */
  | 'seat pile'
  /** What is known of a hand: cards that were seen, suits that it does not hold. */
  | 'memory'
  /** One or more seats. */
  | 'mark'
  /** A pile of which the top card is seen. */
  | 'pile'
  /** Cards that are out of the game for now; only their number is shown. */
  | 'set aside'
  /** Cards in a row in the middle of the table. */
  | 'row'
  | 'other';

// Fields -------------------------------------------------------------------------------------------

const ROLE_BY_NAME: Record<string, Role> = { hands: 'hand', totals: 'total', trick: 'trick', leader: 'leader', turn: 'turn' };
const ROLE_BY_CLASS: Record<string, Role> = {
  SeatCards: 'seat pile',
  Known: 'memory',
  Voids: 'memory',
  Seat: 'mark',
  Seats: 'mark',
  SeatSet: 'mark',
  Pile: 'pile',
  Cards: 'set aside',
  Row: 'row',
};

export function roleOf(field: FieldText): Role {
  return ROLE_BY_NAME[field.name] ?? ROLE_BY_CLASS[field.kind] ?? 'other';
}

export function fieldWith(book: Book, role: Role): FieldText | undefined {
  return book.fields.find((field) => roleOf(field) === role);
}

export function valueWith(book: Book, view: View, role: Role): unknown {
  const field = fieldWith(book, role);
  return field && view[field.name];
}

/** The highest value that a number can reach, as an option of the game says: `rounds` is the limit of `round`. */
export function limitOf(field: FieldText, options: Record<string, unknown>): number | null {
  const limit = options[`${field.name}s`];
  return typeof limit === 'number' ? limit : null;
}

// Notes --------------------------------------------------------------------------------------------

export function isPlay(note: Note): boolean {
  return note.kind === 'play';
}

/** The end of a trick. */
export function isTrick(note: Note): boolean {
  return note.kind === 'trick';
}

/** The end of a round. */
export function isScore(note: Note): boolean {
  return note.kind === 'score';
}

/** An event card was turned up. */
export function isEvent(note: Note): boolean {
  return note.kind === 'event';
}

export function pointsIn(score: Note): Record<string, number> {
  return (score.points ?? {}) as Record<string, number>;
}

// Questions and facts ------------------------------------------------------------------------------

/** The answer to a reaction that changes nothing; if it is the only one, the server gives it by itself. */
export const PASS = 'pass';

/** How many cards are asked for, one after the other. */
export function cardsLeft(question: Record<string, unknown>): number {
  return typeof question.left === 'number' ? question.left : 1;
}

const ARTICLE = 'the ';

/** Facts name cards with an English article: "the sword 7". The fact without it; null if it has none. */
export function withoutArticle(fact: string): string | null {
  return fact.startsWith(ARTICLE) ? fact.slice(ARTICLE.length) : null;
}
