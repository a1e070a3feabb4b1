/** Where cards lie in a view, and which cards have moved from one view to the next. */

import { bySeat, cardsIn, sizeOf, type View } from './view';

/** A card that has moved; null if it is not known which. */
export interface Movement {
  from: string;
  to: string;
  card: string | null;
}

interface Place {
  cards: string[];
  /** How many more cards lie there that are not known. */
  unknown: number;
}

/** By name; see `placeName`. */
export type Places = Map<string, Place>;

/** The name of a place, as in the attribute `data-place`: "trick", or "hands A" for a field with cards for each seat. */
export function placeName(field: string, seat?: string): string {
  return seat === undefined ? field : `${field} ${seat}`;
}

export function placesIn(view: View, fields: string[]): Places {
  const places: Places = new Map();
  for (const field of fields) {
    const value = view[field];
    const seats = bySeat(view, value);
    if (seats) for (const [seat, one] of Object.entries(seats)) add(places, placeName(field, seat), one);
    else add(places, placeName(field), value);
  }
  return places;
}

function add(places: Places, name: string, value: unknown): void {
  const cards = cardsIn(value);
  const size = sizeOf(value);
  if (size !== null) places.set(name, { cards, unknown: size - cards.length });
}

type Fits = (left: string | null, arrived: string | null) => boolean;
const isSameCard: Fits = (left, arrived) => left !== null && left === arrived;
const isUnknown: Fits = (left, arrived) => left === null || arrived === null;

/** Matches cards that have left a place with cards that have arrived elsewhere: known cards first, then unknown ones. */
export function movements(before: Places, after: Places): Movement[] {
  const left: { place: string; card: string | null }[] = [];
  const arrived: { place: string; card: string | null }[] = [];
  for (const [place, now] of after) {
    const then = before.get(place) ?? { cards: [], unknown: 0 };
    const more = now.unknown - then.unknown;
    minus(then.cards, now.cards).forEach((card) => left.push({ place, card }));
    minus(now.cards, then.cards).forEach((card) => arrived.push({ place, card }));
    for (let n = 0; n < -more; n++) left.push({ place, card: null });
    for (let n = 0; n < more; n++) arrived.push({ place, card: null });
  }
  const found: Movement[] = [];
  for (const fits of [isSameCard, isUnknown]) {
    for (const to of [...arrived]) {
      const source = left.findIndex((from) => from.place !== to.place && fits(from.card, to.card));
      const from = left[source];
      if (!from) continue;
      found.push({ from: from.place, to: to.place, card: to.card ?? from.card });
      left.splice(source, 1);
      arrived.splice(arrived.indexOf(to), 1);
    }
  }
  return found;
}

function minus(cards: string[], others: string[]): string[] {
  const rest = [...others];
  return cards.filter((card) => {
    const index = rest.indexOf(card);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}
