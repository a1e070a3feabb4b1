/** What a seat sees: the same few forms in every game. */

import type { Book, Card, FieldText } from './protocol';

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

/** A field that has something for every seat. */
export function bySeat(view: View, field: string): Record<string, unknown> | null {
  const value = view[field];
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isHidden(value)) return null;
  const keys = Object.keys(value);
  const seats = seatsOf(view);
  return keys.length > 0 && keys.every((key) => seats.includes(key)) ? (value as Record<string, unknown>) : null;
}

export function seatsOf(view: View): string[] {
  return [...'ABCDEFGH'.slice(0, Number(view.players))];
}

/** The cards that can be seen there. */
export function cardsIn(value: unknown): string[] {
  if (isHidden(value)) return value.cards;
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

export function sizeOf(value: unknown): number | null {
  if (isHidden(value)) return value.size;
  return Array.isArray(value) ? value.length : null;
}

export function handOf(view: View): string[] {
  const you = view.you;
  return typeof you === 'string' ? cardsIn(bySeat(view, 'hands')?.[you]) : [];
}

/** The cards of a hand as they are held: by suit, then as the deck orders them. */
export function sorted(hand: string[], book: Book): Card[] {
  const order = new Map(book.cards.map((card, at) => [card.id, { card, at }]));
  return hand
    .map((id) => order.get(id))
    .filter((one) => one !== undefined)
    .sort((one, other) => one.at - other.at)
    .map((one) => one.card);
}

export function fieldsOf(book: Book, view: View): FieldText[] {
  return book.fields.filter((field) => field.name in view);
}

// Tricks ------------------------------------------------------------------------------------------

export const PLAY = 'play';
export const TRICK = 'trick';
export const SCORE = 'score';
export const EVENT = 'event';

export function winnersOf(view: View): string[] {
  return Array.isArray(view.winners) ? view.winners.map(String) : [];
}

/** A trick: who played what, and which card won it. */
export interface Trick {
  plays: { seat: string; card: string }[];
  winner: string | null;
  card: string | null;
}

/** The last trick that was finished, from the notes; null if there has been none. */
export function lastTrick(history: Note[]): Trick | null {
  for (let at = history.length - 1; at >= 0; at--) {
    const note = history[at];
    if (note?.kind !== TRICK) continue;
    let start = at;
    while (start > 0 && history[start - 1]?.kind !== PLAY) start -= 1;
    const plays = [];
    while (start > 0 && history[start - 1]?.kind === PLAY) {
      start -= 1;
      plays.unshift({ seat: String(history[start]?.seat), card: String(history[start]?.card) });
    }
    return { plays, winner: text(note.seat), card: text(note.card) };
  }
  return null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
