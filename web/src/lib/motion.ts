/** Cards that are seen to move: from where they lay to where they lie now. */

import { tick } from 'svelte';
import { flights, placesIn, type Flight, type Places } from './movements';
import type { Book } from './protocol';
import type { Scene } from './table.svelte';
import type { Motion } from './settings.svelte';

const DURATION: Record<Motion, number> = { slow: 650, normal: 380, fast: 200, none: 0 };
/** More cards than this move as if they were one. */
const MOST = 24;
const DELAY = 30;

interface Start {
  flight: Flight;
  from: DOMRect;
  face: Element | null;
}

/** Where cards lie in a scene; those of a trick that has just been finished still lie there, not with who takes them. */
function placesOf(scene: Scene, book: Book): Places {
  const fields = book.fields.map((field) => field.name);
  const places = placesIn(scene.view, fields);
  if (!scene.finished) return places;
  const cards = scene.finished.plays.map((play) => play.card);
  for (const place of places.values()) place.cards = place.cards.filter((card) => !cards.includes(card));
  places.set('trick', { cards, unknown: 0 });
  return places;
}

/** Looks where things are now, and when the page has changed, has them move from there. */
export function animate(root: HTMLElement, before: Scene, after: Scene, book: Book, motion: Motion): void {
  const duration = DURATION[motion];
  if (duration === 0 || before.number !== after.number) return;
  const starts: Start[] = [];
  for (const flight of flights(placesOf(before, book), placesOf(after, book)).slice(0, MOST)) {
    const source = elementOf(root, flight.from, flight.card);
    if (source) starts.push({ flight, from: source.getBoundingClientRect(), face: faceIn(source) });
  }
  if (starts.length === 0) return;
  void tick().then(() => starts.forEach((start, at) => fly(root, start, at * DELAY, duration)));
}

function elementOf(root: HTMLElement, place: string, card: string | null): Element | null {
  const seat = place.includes(' ') ? place.slice(place.lastIndexOf(' ') + 1) : '';
  const there = root.querySelector(`[data-place="${place}"]`) ?? (seat ? root.querySelector(`[data-seat="${seat}"]`) : null);
  if (there && card !== null) {
    const own = there.matches(`[data-card="${CSS.escape(card)}"]`) ? there : there.querySelector(`[data-card="${CSS.escape(card)}"]`);
    if (own) return own;
  }
  return there;
}

function faceIn(element: Element): Element | null {
  return element.hasAttribute('data-card') ? element.querySelector('svg') : null;
}

function fly(root: HTMLElement, { flight, from, face }: Start, delay: number, duration: number): void {
  const target = elementOf(root, flight.to, flight.card);
  if (!target) return;
  const to = target.getBoundingClientRect();
  const options = { duration, delay, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)', fill: 'backwards' as const };
  if (target.hasAttribute('data-card')) {
    const across = from.left + from.width / 2 - to.left - to.width / 2;
    const down = from.top + from.height / 2 - to.top - to.height / 2;
    target.animate([{ transform: `translate(${across}px, ${down}px)`, opacity: 0.6 }, { transform: 'none', opacity: 1 }], options);
    return;
  }
  const ghost = document.createElement('div');
  ghost.className = 'ghost';
  ghost.setAttribute('aria-hidden', 'true');
  if (face) ghost.append(face.cloneNode(true));
  root.append(ghost);
  const size = ghost.getBoundingClientRect();
  const at = (place: DOMRect): string =>
    `translate(${place.left + place.width / 2 - size.width / 2}px, ${place.top + place.height / 2 - size.height / 2}px)`;
  const moving = ghost.animate([{ transform: at(from) }, { transform: at(to), opacity: 0.5 }], options);
  moving.onfinish = moving.oncancel = () => ghost.remove();
}
