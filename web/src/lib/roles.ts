/**
 * What the fields and notes of a game mean to the table. This is the only module that knows names of facts.
 */

import type { Book, FieldKind, FieldText, NoteRole } from './protocol';
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

/** The roles of a game's notes, by their kind; none as long as its book is not loaded. */
export type NoteRoles = Book['note_roles'];

export function hasRole(note: Note, role: NoteRole, roles: NoteRoles): boolean {
  return roles[String(note.kind)] === role;
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
