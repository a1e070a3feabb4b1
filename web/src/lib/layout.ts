/** What of a view is shown where; from the kinds of fields alone. */

import type { Book, Card, Chair, FieldText } from './protocol';
import { EVENT, PLAY, SCORE, bySeat, cardsIn, fieldsOf, isHidden, sizeOf, type Note, type View } from './view';
import type { Wording } from './wording';

/** A fact about one seat. */
export interface SeatFact {
  field: FieldText;
  value: unknown;
}

const HANDS = 'hands';
const TOTALS = 'totals';
/** What is known of a hand, or is missing from it, is told only to who looks closer. */
const MEMORY = ['Known', 'Voids'];
const MARKS = ['Seat', 'Seats', 'SeatSet'];
/** What the table shows in a place of its own. */
const SHOWN_APART = ['trick', 'turn'];

export function totalOf(view: View, seat: string): number | null {
  const total = bySeat(view, TOTALS)?.[seat];
  return typeof total === 'number' ? total : null;
}

export function handSize(view: View, seat: string): number {
  return sizeOf(bySeat(view, HANDS)?.[seat]) ?? 0;
}

/** The cards of somebody else's hand that can be seen. */
export function seenOf(view: View, seat: string): string[] {
  return cardsIn(bySeat(view, HANDS)?.[seat]);
}

/** In how many places cards may come to lie before each seat of this game. */
export function pileFields(book: Book, view: View): number {
  const isPile = (field: FieldText): boolean => field.kind === 'SeatCards' && field.name !== HANDS && !(field.name in book.captions);
  return fieldsOf(book, view).filter(isPile).length;
}

/** Whether cards lie in rows in the middle of this game, besides a trick. */
export function hasRows(book: Book): boolean {
  return book.fields.some((field) => field.kind === 'Row' && !SHOWN_APART.includes(field.name));
}

/** Whether those rows are what the game is about, as there is neither a trick nor a pile to play on. */
export function isOfRows(book: Book): boolean {
  return hasRows(book) && !book.fields.some((field) => field.kind === 'Pile' || field.name === 'trick');
}

/** What lies open before a seat, or is hidden there besides the hand. */
export function pilesOf(book: Book, view: View, seat: string): SeatFact[] {
  return seatFacts(book, view, seat).filter(
    ({ field, value }) => !MEMORY.includes(field.kind) && field.name !== HANDS && (sizeOf(value) ?? 0) > 0,
  );
}

/** Numbers of a seat besides its total, where they are not nought. */
export function numbersOf(book: Book, view: View, seat: string): SeatFact[] {
  return seatFacts(book, view, seat).filter(
    ({ field, value }) => field.name !== TOTALS && typeof value === 'number' && value !== 0,
  );
}

/** What is remembered of a seat: cards that were seen, suits that it does not hold. */
export function memoryOf(book: Book, view: View, seat: string): SeatFact[] {
  return seatFacts(book, view, seat).filter(({ field, value }) => MEMORY.includes(field.kind) && (sizeOf(value) ?? 0) > 0);
}

function seatFacts(book: Book, view: View, seat: string): SeatFact[] {
  return fieldsOf(book, view)
    .filter((field) => !(field.name in book.captions))
    .map((field) => ({ field, value: bySeat(view, field.name)?.[seat] }))
    .filter(({ value }) => value !== undefined && value !== null);
}

/** The fields that name this seat: who leads, who is out. */
export function marksOf(book: Book, view: View, seat: string): FieldText[] {
  return fieldsOf(book, view).filter((field) => {
    if (!MARKS.includes(field.kind) || SHOWN_APART.includes(field.name) || field.name in book.captions) return false;
    const value = view[field.name];
    return value === seat || (Array.isArray(value) && value.includes(seat));
  });
}

/** What lies in the middle of the table. */
export interface Middle {
  piles: FieldText[];
  backs: FieldText[];
  rows: FieldText[];
  /** Told in a word: cards that lie apart, open or not. */
  heaps: FieldText[];
  words: FieldText[];
  captions: FieldText[];
}

export function middleOf(book: Book, view: View): Middle {
  const middle: Middle = { piles: [], backs: [], rows: [], heaps: [], words: [], captions: [] };
  for (const field of fieldsOf(book, view)) {
    const value = view[field.name];
    if (field.name in book.captions) middle.captions.push(field);
    else if (SHOWN_APART.includes(field.name) || bySeat(view, field.name) || MARKS.includes(field.kind)) continue;
    else if (isHidden(value)) {
      if (value.size > 0) (field.kind === 'Cards' ? middle.heaps : middle.backs).push(field);
    } else if (Array.isArray(value)) {
      if (value.length === 0) continue;
      if (field.kind === 'Pile') middle.piles.push(field);
      else if (field.kind === 'Cards') middle.heaps.push(field);
      else middle.rows.push(field);
    } else if (typeof value === 'string' || value === true) middle.words.push(field);
  }
  return middle;
}

/** A card that was turned up for everybody. */
export interface Turned {
  card: Card;
  /** Where in the history, so that the same one turned again is another. */
  at: number;
  /** Whether nobody has played since. */
  isFresh: boolean;
}

/** The event that was turned up last in this round. */
export function eventIn(history: Note[], wording: Wording): Turned | null {
  let isFresh = true;
  for (let at = history.length - 1; at >= 0; at--) {
    const note = history[at];
    if (note?.kind === SCORE) return null;
    if (note?.kind === PLAY) isFresh = false;
    const card = note?.kind === EVENT ? wording.card(String(note.card)) : undefined;
    if (card) return { card, at, isFresh };
  }
  return null;
}

/** Numbers about the game as a whole: the round. */
export function numbersIn(book: Book, view: View): { field: FieldText; value: number; of: number | null }[] {
  const options = (view.options ?? {}) as Record<string, unknown>;
  return fieldsOf(book, view).flatMap((field) => {
    const value = view[field.name];
    const most = options[`${field.name}s`];
    const isShown = typeof value === 'number' && value !== 0 && !(field.name in book.captions);
    return isShown ? [{ field, value, of: typeof most === 'number' ? most : null }] : [];
  });
}

/** The other seats around the table, clockwise from one's own, split into those at the left, at the top and at the right. */
export function around(seats: string[], you: string | null): { left: string[]; top: string[]; right: string[] } {
  const at = you === null ? -1 : seats.indexOf(you);
  const others = at < 0 ? seats : [...seats.slice(at + 1), ...seats.slice(0, at)];
  const side = others.length < 3 ? 0 : others.length < 6 ? 1 : 2;
  return {
    left: others.slice(0, side),
    top: others.slice(side, others.length - side),
    right: others.slice(others.length - side),
  };
}

/** How a hand lies. */
export interface Fan {
  /** The width of a card. */
  card: number;
  gap: number;
  /** Whether the cards lie close: side by side, and the rows over each other's feet. */
  close: boolean;
}

const TARGET = 44;
const WIDE = 600;
const MANY = 14;

/** The hand in as few rows as there can be, in which no card is too small to tap. */
export function fanOf(count: number, width: number): Fan {
  const isWide = width >= WIDE;
  const isMany = count > MANY;
  const close = isMany && !isWide;
  const gap = close ? 0 : 4;
  const [least, most] = close ? [TARGET, 48] : isMany ? [52, 60] : isWide ? [60, 80] : [TARGET, 55];
  for (let rows = 1; rows < count; rows++) {
    const card = Math.floor((width + gap) / Math.ceil(count / rows)) - gap;
    if (card >= least) return { card: Math.min(most, card), gap, close };
  }
  return { card: most, gap, close };
}

/** Whether somebody who is waited for is not there. */
export function isGone(chair: Chair | undefined, here: string[]): boolean {
  return chair?.kind === 'person' && !chair.played_for && !here.includes(chair.seat);
}
