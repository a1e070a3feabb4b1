/**
 * What the fields and notes of a game mean to the table. This is the only module that knows names of notes and facts.
 */

import type { Book, FieldKind, FieldText } from './protocol';
import type { Note, View } from './view';

// Fields -------------------------------------------------------------------------------------------

export function fieldWith(book: Book, kind: FieldKind): FieldText | undefined {
  return book.fields.find((field) => field.kind === kind);
}

export function valueWith(book: Book, view: View, kind: FieldKind): unknown {
  const field = fieldWith(book, kind);
  return field && view[field.name];
}

/** The highest value that a number can reach, if an option of the game says it. */
export function limitOf(field: FieldText, options: Record<string, unknown>): number | null {
  const limit = field.limit ? options[field.limit] : null;
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
