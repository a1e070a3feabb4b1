/** Which part of a view is shown where, decided by the roles of its fields. */

import type { Book, Card, Chair, FieldKind, FieldText } from './protocol';
import { hasRole, limitOf } from './roles';
import { bySeat, fieldsOf, isHidden, sizeOf, type Note, type View } from './view';
import type { Wording } from './wording';

// Around the table ---------------------------------------------------------------------------------

/** The value of a field for one seat. */
interface SeatValue {
  field: FieldText;
  value: unknown;
}

const MARKS: FieldKind[] = ['mark', 'leader'];

/** A field with a caption is told in words, and nowhere else. */
function hasCaption(field: FieldText, book: Book): boolean {
  return field.name in book.captions;
}

/** How many fields of this game hold cards in front of each seat. */
export function seatPileCount(book: Book, view: View): number {
  return fieldsOf(book, view).filter((field) => field.kind === 'cards' && !hasCaption(field, book)).length;
}

/** The cards in front of a seat besides its hand. */
export function seatPiles(book: Book, view: View, seat: string): SeatValue[] {
  const isPile = ({ field, value }: SeatValue): boolean => !['hand', 'memory'].includes(field.kind) && (sizeOf(value) ?? 0) > 0;
  return seatValues(book, view, seat).filter(isPile);
}

/** The numbers of a seat besides its total, where they are not zero. */
export function seatNumbers(book: Book, view: View, seat: string): SeatValue[] {
  return seatValues(book, view, seat).filter(({ field, value }) => field.kind !== 'score' && typeof value === 'number' && value !== 0);
}

/** What is known of a seat's hand: cards that were seen, suits that it does not hold. */
export function seatMemory(book: Book, view: View, seat: string): SeatValue[] {
  return seatValues(book, view, seat).filter(({ field, value }) => field.kind === 'memory' && (sizeOf(value) ?? 0) > 0);
}

function seatValues(book: Book, view: View, seat: string): SeatValue[] {
  return fieldsOf(book, view)
    .filter((field) => !hasCaption(field, book))
    .map((field) => ({ field, value: bySeat(view, view[field.name])?.[seat] }))
    .filter(({ value }) => value !== undefined && value !== null);
}

/** The fields that name this seat: who leads, who is out. */
export function seatMarks(book: Book, view: View, seat: string): FieldText[] {
  return fieldsOf(book, view).filter((field) => {
    if (!MARKS.includes(field.kind) || hasCaption(field, book)) return false;
    const value = view[field.name];
    return value === seat || (Array.isArray(value) && value.includes(seat));
  });
}

/** The other seats, clockwise from one's own, split into those at the left, at the top and at the right. */
export function seatsAround(seats: string[], you: string | null): { left: string[]; top: string[]; right: string[] } {
  const own = you === null ? -1 : seats.indexOf(you);
  const others = own < 0 ? seats : [...seats.slice(own + 1), ...seats.slice(0, own)];
  const side = others.length < 3 ? 0 : others.length < 6 ? 1 : 2;
  return {
    left: others.slice(0, side),
    top: others.slice(side, others.length - side),
    right: others.slice(others.length - side),
  };
}

/** Whether a person is not connected, and no bot plays for them. */
export function isAway(chair: Chair | undefined, here: string[]): boolean {
  return chair?.kind === 'person' && !chair.played_for && !here.includes(chair.seat);
}

// The middle of the table --------------------------------------------------------------------------

/** The fields that are shown in the middle of the table, by how they are shown. */
export interface Middle {
  /** Piles with the top card face up. */
  piles: FieldText[];
  /** Piles of which only the back is seen. */
  backs: FieldText[];
  rows: FieldText[];
  /** Only the number of cards is shown. */
  setAside: FieldText[];
  words: FieldText[];
  captions: FieldText[];
}

export function middleOf(book: Book, view: View): Middle {
  const middle: Middle = { piles: [], backs: [], rows: [], setAside: [], words: [], captions: [] };
  const elsewhere: FieldKind[] = ['trick', 'turn', ...MARKS];
  for (const field of fieldsOf(book, view)) {
    const value = view[field.name];
    const { kind } = field;
    if (hasCaption(field, book)) middle.captions.push(field);
    else if (elsewhere.includes(kind) || bySeat(view, value)) continue;
    else if (isHidden(value) || Array.isArray(value)) {
      if (sizeOf(value) === 0) continue;
      if (kind === 'aside') middle.setAside.push(field);
      else if (isHidden(value)) middle.backs.push(field);
      else if (kind === 'pile') middle.piles.push(field);
      else middle.rows.push(field);
    } else if (typeof value === 'string' || value === true) middle.words.push(field);
  }
  return middle;
}

/** Whether the game has rows of cards in the middle, besides a trick. */
export function hasRows(book: Book): boolean {
  return book.fields.some((field) => field.kind === 'row');
}

/** Whether those rows are the main thing on the table, as there is neither a trick nor a pile to play on. */
export function hasMainlyRows(book: Book): boolean {
  return hasRows(book) && !book.fields.some((field) => ['pile', 'trick'].includes(field.kind));
}

/** An event card that was turned up. */
interface EventCard {
  card: Card;
  /** Its index in the history, so that the same card turned up again counts as another event. */
  index: number;
  /** Whether nobody has played since. */
  isFresh: boolean;
}

/** The event that was turned up last in this round. */
export function latestEvent(history: Note[], wording: Wording): EventCard | null {
  const roles = wording.book.note_roles;
  let isFresh = true;
  for (let index = history.length - 1; index >= 0; index--) {
    const note = history[index] ?? {};
    if (hasRole(note, 'scored', roles)) return null;
    if (hasRole(note, 'played', roles)) isFresh = false;
    const card = hasRole(note, 'event', roles) ? wording.card(String(note.card)) : undefined;
    if (card) return { card, index, isFresh };
  }
  return null;
}

/** Numbers about the game as a whole, such as the round, with their limits. */
export function gameNumbers(book: Book, view: View): { field: FieldText; value: number; limit: number | null }[] {
  const options = (view.options ?? {}) as Record<string, unknown>;
  return fieldsOf(book, view).flatMap((field) => {
    const value = view[field.name];
    const isShown = typeof value === 'number' && value !== 0 && !hasCaption(field, book);
    return isShown ? [{ field, value, limit: limitOf(field, options) }] : [];
  });
}

// One's own hand -----------------------------------------------------------------------------------

interface HandLayout {
  cardWidth: number;
  gap: number;
  /** Whether the cards touch each other, and each row covers the lower edge of the row above. */
  isCompact: boolean;
}

/** The smallest size that a finger hits. */
const TARGET = 44;
const WIDE_SCREEN = 600;
const MANY_CARDS = 14;

/** The hand in as few rows as possible, with no card too small to tap. */
export function handLayout(count: number, width: number): HandLayout {
  const isWide = width >= WIDE_SCREEN;
  const isMany = count > MANY_CARDS;
  const isCompact = isMany && !isWide;
  const gap = isCompact ? 0 : 4;
  const [least, most] = isCompact ? [TARGET, 48] : isMany ? [52, 60] : isWide ? [60, 80] : [TARGET, 55];
  for (let rows = 1; rows < count; rows++) {
    const cardWidth = Math.floor((width + gap) / Math.ceil(count / rows)) - gap;
    if (cardWidth >= least) return { cardWidth: Math.min(most, cardWidth), gap, isCompact };
  }
  return { cardWidth: most, gap, isCompact };
}
