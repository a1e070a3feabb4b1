/** Where cards lie in a view, and what has moved from one view to the next. */

import type { View } from './view';
import { bySeat, cardsIn, sizeOf } from './view';

/** A card on its way; without a name if it is not known which. */
export interface Flight {
  from: string;
  to: string;
  card: string | null;
}

interface Place {
  cards: string[];
  unknown: number;
}

export type Places = Map<string, Place>;

/** Every place that holds cards: "trick", "deck", or "hands A" where each seat has one of it. */
export function placesIn(view: View, fields: string[]): Places {
  const places: Places = new Map();
  for (const field of fields) {
    const value = view[field];
    const seats = bySeat(view, field);
    if (seats) for (const [seat, one] of Object.entries(seats)) add(places, `${field} ${seat}`, one);
    else add(places, field, value);
  }
  return places;
}

function add(places: Places, name: string, value: unknown): void {
  const cards = cardsIn(value);
  const size = sizeOf(value);
  if (size !== null) places.set(name, { cards, unknown: size - cards.length });
}

/** What has left one place and come to another: first cards that are known at both ends, then as many as the sizes tell. */
export function flights(before: Places, after: Places): Flight[] {
  const gone: { place: string; card: string | null }[] = [];
  const come: { place: string; card: string | null }[] = [];
  for (const [place, now] of after) {
    const then = before.get(place) ?? { cards: [], unknown: 0 };
    const less = minus(then.cards, now.cards);
    const more = minus(now.cards, then.cards);
    const change = now.unknown - then.unknown;
    less.forEach((card) => gone.push({ place, card }));
    more.forEach((card) => come.push({ place, card }));
    for (let n = 0; n < -change; n++) gone.push({ place, card: null });
    for (let n = 0; n < change; n++) come.push({ place, card: null });
  }
  const found: Flight[] = [];
  const fits = [
    (left: string | null, right: string | null) => left !== null && left === right,
    (left: string | null, right: string | null) => left === null || right === null,
  ];
  for (const fit of fits) {
    for (let at = 0; at < come.length; at++) {
      const to = come[at];
      if (!to) continue;
      const source = gone.findIndex((from) => from.place !== to.place && fit(from.card, to.card));
      const from = gone[source];
      if (!from) continue;
      found.push({ from: from.place, to: to.place, card: to.card ?? from.card });
      gone.splice(source, 1);
      come.splice(at--, 1);
    }
  }
  return found;
}

function minus(cards: string[], others: string[]): string[] {
  const left = [...others];
  return cards.filter((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
