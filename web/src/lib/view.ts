/** The shapes of values in a view (what a seat sees): the same few in every game. */

import type { Book, Card, FieldText } from './protocol';
import { hasRole, valueWith, type NoteRoles } from './roles';

export type View = Record<string, unknown>;
export type Note = Record<string, unknown>;

/** Cards of which only the number is known, and perhaps some of them. */
interface Hidden {
  size: number;
  cards: string[];
}

export function isHidden(value: unknown): value is Hidden {
  return typeof value === 'object' && value !== null && 'size' in value && 'cards' in value;
}

/** The value as a record with something for each seat; null if it has another shape. */
export function bySeat(view: View, value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isHidden(value)) return null;
  const keys = Object.keys(value);
  const seats = seatsOf(view);
  return keys.length > 0 && keys.every((key) => seats.includes(key)) ? (value as Record<string, unknown>) : null;
}

export function seatsOf(view: View): string[] {
  return [...'ABCDEFGH'.slice(0, Number(view.players))];
}

export function winnersOf(view: View): string[] {
  return Array.isArray(view.winners) ? view.winners.map(String) : [];
}

/** The cards of a value that are known. */
export function cardsIn(value: unknown): string[] {
  if (isHidden(value)) return value.cards;
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

export function sizeOf(value: unknown): number | null {
  if (isHidden(value)) return value.size;
  return Array.isArray(value) ? value.length : null;
}

export function fieldsOf(book: Book, view: View): FieldText[] {
  return book.fields.filter((field) => field.name in view);
}

// Hands and totals ---------------------------------------------------------------------------------

export function totalOf(book: Book, view: View, seat: string): number | null {
  const total = bySeat(view, valueWith(book, view, 'score'))?.[seat];
  return typeof total === 'number' ? total : null;
}

export function handSize(book: Book, view: View, seat: string): number {
  return sizeOf(bySeat(view, valueWith(book, view, 'hand'))?.[seat]) ?? 0;
}

/** The cards of a seat's hand that are known. */
export function handOf(book: Book, view: View, seat: string): string[] {
  return cardsIn(bySeat(view, valueWith(book, view, 'hand'))?.[seat]);
}

/** The cards of one's own hand; none for spectators. */
export function ownHand(book: Book, view: View): string[] {
  return typeof view.you === 'string' ? handOf(book, view, view.you) : [];
}

/** The cards by suit, then in the order of the deck. */
export function sorted(hand: string[], book: Book): Card[] {
  const order = new Map(book.cards.map((card, index) => [card.id, { card, index }]));
  return hand
    .map((id) => order.get(id))
    .filter((one) => one !== undefined)
    .sort((one, other) => one.index - other.index)
    .map((one) => one.card);
}

/** The cards with keys for lists: a hand may hold the same card twice. */
export function withKeys(cards: Card[]): { card: Card; key: string; copy: number }[] {
  const copies = new Map<string, number>();
  return cards.map((card) => {
    const copy = (copies.get(card.id) ?? 0) + 1;
    copies.set(card.id, copy);
    return { card, key: `${card.id} #${copy}`, copy };
  });
}

// Tricks ------------------------------------------------------------------------------------------

/** A finished trick: who played what, and which card won it. */
export interface Trick {
  plays: { seat: string; card: string }[];
  winner: string | null;
  card: string | null;
}

/** The last finished trick, read from the notes; null if there has been none. */
export function lastTrick(history: Note[], roles: NoteRoles): Trick | null {
  const end = history.findLastIndex((one) => hasRole(one, 'trick ended', roles));
  const note = history[end];
  if (!note) return null;
  const before = history.slice(0, end);
  const isPlay = (one: Note): boolean => hasRole(one, 'played', roles);
  const last = before.findLastIndex(isPlay);
  const first = before.findLastIndex((one, index) => index < last && !isPlay(one)) + 1;
  const plays = before.slice(first, last + 1).map((one) => ({ seat: String(one.seat), card: String(one.card) }));
  return { plays, winner: textOrNull(note.seat), card: textOrNull(note.card) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
