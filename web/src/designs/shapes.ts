/** What designs consist of: plain data that the card components draw. */

import type { Book, Card } from '../lib/protocol';

/** The colours of a card. Ranks, letters and names are ink on paper, so these two need a high contrast. */
export interface Palette {
  paper: string;
  ink: string;
  /** For the symbol. */
  suit: string;
  /** For large areas in the background. */
  soft: string;
  /** For the dark side of the symbol or picture. */
  shade: string;
}

export type Tone = keyof Palette | 'none' | `#${string}`;

export interface Shape {
  path: string;
  fill: Tone;
  stroke: Tone;
  width: number;
}

/** Shapes, or a character of a font, with their position. */
export interface Group {
  shapes: Shape[];
  glyph?: string;
  x: number;
  y: number;
  scale: number;
  turn?: number;
  /** If it differs from the palette of the card. */
  palette?: Palette;
}

/** A suit: its colours and its symbol in a square of 24 × 24. */
export interface SuitDesign {
  palette: Palette;
  symbol: Shape[];
  /** Used if the symbol has not been drawn. */
  glyph?: string;
}

/** A suit's symbol with its letter, below the rank. */
export interface SuitMark extends SuitDesign {
  letter: string;
  y: number;
}

/** Everything that is seen of one card. */
export interface Face {
  palette: Palette;
  picture: Group[];
  rank: string;
  /** In the corner, if the card has no rank. */
  icon: Shape[];
  marks: SuitMark[];
  /** Printed at the bottom; empty if the rank is enough. */
  name: string;
  /** The colours at the bottom, if they differ. */
  foot?: Palette;
}

/** How ranks are drawn. */
export interface Pen {
  form: 'round' | 'cut';
  width: number;
  cap: 'round' | 'square';
  /** Degrees to the right. */
  slant: number;
}

export interface Back {
  palette: Palette;
  picture: Group[];
}

export interface Design {
  pen: Pen;
  font: string;
  suit(suit: string, book: Book): SuitDesign;
  face(card: Card, book: Book): Face;
  back: Back;
}

export const CARD_WIDTH = 88;
export const CARD_HEIGHT = 124;

// Shapes ------------------------------------------------------------------------------------------

export function solid(path: string, fill: Tone = 'suit'): Shape {
  return { path, fill, stroke: 'none', width: 0 };
}

export function line(path: string, width = 2.4, stroke: Tone = 'suit'): Shape {
  return { path, fill: 'none', stroke, width };
}

/** Filled, with round corners. */
export function soft(path: string, width = 1.6, fill: Tone = 'suit'): Shape {
  return { path, fill, stroke: fill, width };
}

/** Shapes of 24 × 24, scaled to `size` and centred on `x` and `y`. */
export function at(x: number, y: number, size: number, shapes: Shape[], palette?: Palette, turn?: number): Group {
  return { shapes, x: x - size / 2, y: y - size / 2, scale: size / 24, palette, turn };
}

/** Shapes in card coordinates, 88 × 124. */
export function onCard(shapes: Shape[]): Group {
  return { shapes, x: 0, y: 0, scale: 1 };
}

// Paths -------------------------------------------------------------------------------------------

export function circle(x: number, y: number, radius: number): string {
  return oval(x, y, radius, radius);
}

export function oval(x: number, y: number, across: number, up: number): string {
  const turn = `a${across} ${up} 0 1 0 `;
  return `M${x - across} ${y}${turn}${2 * across} 0${turn}${-2 * across} 0Z`;
}

export function box(x: number, y: number, width: number, height: number): string {
  return `M${x} ${y}h${width}v${height}h${-width}Z`;
}

/** A star, or with an `inner` close to `outer` a cogged disc. */
export function star(x: number, y: number, outer: number, inner: number, points: number): string {
  const corners = Array.from({ length: points * 2 }, (_, corner) => {
    const angle = (Math.PI * corner) / points;
    const radius = corner % 2 ? inner : outer;
    return `${round(x + radius * Math.sin(angle))} ${round(y - radius * Math.cos(angle))}`;
  });
  return `M${corners.join('L')}Z`;
}

export function round(number: number): number {
  return Math.round(number * 100) / 100;
}
