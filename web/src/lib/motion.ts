/** Animates cards from where they lay to where they lie now. */

import { tick } from 'svelte';
import { movements, placeName, placesIn, type Movement, type Places } from './movements';
import type { Book } from './protocol';
import { fieldWith } from './roles';
import type { Motion } from './settings.svelte';
import type { Scene } from './table.svelte';

const DURATION: Record<Motion, number> = { slow: 650, normal: 380, fast: 200, none: 0 };
/** No more cards than this are animated at once. */
const MAX_CARDS = 24;
const DELAY = 30;

interface Start {
  movement: Movement;
  from: DOMRect;
  /** The drawing of the card, if it was seen. */
  face: Element | null;
}

/** Where cards lie in a scene; those of a trick that has just been finished still lie in the trick. */
function placesOf(scene: Scene, book: Book): Places {
  const places = placesIn(scene.view, book.fields.map((field) => field.name));
  const trick = fieldWith(book, 'trick');
  if (!scene.finished || !trick) return places;
  const cards = scene.finished.plays.map((play) => play.card);
  for (const place of places.values()) place.cards = place.cards.filter((card) => !cards.includes(card));
  places.set(placeName(trick.name), { cards, unknown: 0 });
  return places;
}

/** Measures where the cards are now; when the page has changed, lets them move from there. */
export function animate(root: HTMLElement, before: Scene, after: Scene, book: Book, motion: Motion): void {
  const duration = DURATION[motion];
  if (duration === 0 || before.number !== after.number) return;
  const starts: Start[] = [];
  for (const movement of movements(placesOf(before, book), placesOf(after, book)).slice(0, MAX_CARDS)) {
    const source = elementOf(root, movement.from, movement.card);
    if (source) starts.push({ movement, from: source.getBoundingClientRect(), face: faceIn(source) });
  }
  if (starts.length === 0) return;
  void tick().then(() => starts.forEach((start, index) => moveCard(root, start, index * DELAY, duration)));
}

function elementOf(root: HTMLElement, place: string, card: string | null): Element | null {
  const seat = place.includes(' ') ? place.slice(place.lastIndexOf(' ') + 1) : '';
  const there = root.querySelector(`[data-place="${place}"]`) ?? (seat ? root.querySelector(`[data-seat="${seat}"]`) : null);
  if (there && card !== null) {
    const selector = `[data-card="${CSS.escape(card)}"]`;
    return there.matches(selector) ? there : (there.querySelector(selector) ?? there);
  }
  return there;
}

function faceIn(element: Element): Element | null {
  return element.hasAttribute('data-card') ? element.querySelector('svg') : null;
}

function moveCard(root: HTMLElement, { movement, from, face }: Start, delay: number, duration: number): void {
  const target = elementOf(root, movement.to, movement.card);
  if (!target) return;
  const to = target.getBoundingClientRect();
  const options = { duration, delay, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)', fill: 'backwards' as const };
  if (target.hasAttribute('data-card')) {
    const x = from.left + from.width / 2 - to.left - to.width / 2;
    const y = from.top + from.height / 2 - to.top - to.height / 2;
    target.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 0.6 }, { transform: 'none', opacity: 1 }], options);
    return;
  }
  // Where it arrives there is no card to be seen: a copy moves, and vanishes.
  const ghost = document.createElement('div');
  ghost.className = 'ghost';
  ghost.setAttribute('aria-hidden', 'true');
  if (face) ghost.append(face.cloneNode(true));
  root.append(ghost);
  const size = ghost.getBoundingClientRect();
  const centredOn = (place: DOMRect): string =>
    `translate(${place.left + place.width / 2 - size.width / 2}px, ${place.top + place.height / 2 - size.height / 2}px)`;
  const moving = ghost.animate([{ transform: centredOn(from) }, { transform: centredOn(to), opacity: 0.5 }], options);
  moving.onfinish = moving.oncancel = () => ghost.remove();
}
