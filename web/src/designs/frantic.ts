/** Frantic: loud flat colours with a shape for each, and an icon for each special card and event. */

import type { Book, Card } from '../lib/protocol';
import { NARROW, suitMark, suitsFrom, inverted, idWithoutSuit } from './faces';
import { EVENTS } from './frantic_events';
import { SPECIALS } from './frantic_specials';
import { suitsIn } from './suit_letters';
import { numeralsOf } from './numerals';
import {
  at,
  box,
  circle,
  line,
  soft,
  solid,
  star,
  onCard,
  type Face,
  type Group,
  type Design,
  type Palette,
  type Pen,
  type Shape,
  type SuitDesign
} from './shapes';

const PEN: Pen = { form: 'round', width: 6.2, cap: 'round', slant: 0 };

// Colours ---------------------------------------------------------------------------------------------

const WHITE = '#ffffff';
const DARK = '#17161c';
const RED: Palette = { paper: '#cc2233', ink: WHITE, suit: WHITE, soft: '#e04b55', shade: '#a31424' };
const YELLOW: Palette = { paper: '#ffcf26', ink: '#2b2100', suit: '#2b2100', soft: '#ffe17a', shade: '#e0ab00' };
const GREEN: Palette = { paper: '#127a41', ink: WHITE, suit: WHITE, soft: '#2f9a5d', shade: '#0b5c30' };
const BLUE: Palette = { paper: '#1c5fc4', ink: WHITE, suit: WHITE, soft: '#4a86e0', shade: '#134594' };
const BLACK: Palette = { paper: DARK, ink: WHITE, suit: WHITE, soft: '#37353f', shade: '#000000' };
const SPECIAL: Palette = { paper: '#fdfbf6', ink: DARK, suit: DARK, soft: '#efeae0', shade: '#cfc8ba' };
const EVENT: Palette = { paper: '#2a1b5e', ink: '#ffd84d', suit: '#ffd84d', soft: '#41308a', shade: '#1b1042' };
const CURSED: Palette = { paper: '#3b1452', ink: '#f1d9ff', suit: '#f1d9ff', soft: '#57247a', shade: '#240a35' };
const RUDE: Palette = { paper: DARK, ink: '#ff8fb4', suit: '#ff8fb4', soft: '#3a2530', shade: '#000000' };

const SUITS: Record<string, SuitDesign> = {
  red: { palette: RED, symbol: [soft('M12 3L21.8 20.5H2.2Z', 2.4)] },
  yellow: { palette: YELLOW, symbol: [soft(box(3.5, 3.5, 17, 17), 2.4)] },
  green: { palette: GREEN, symbol: [solid(circle(12, 12, 10.6))] },
  blue: { palette: BLUE, symbol: [soft('M12 1.8L20.8 12L12 22.2L3.2 12Z', 2)] },
  black: { palette: BLACK, symbol: [soft(star(12, 13, 11, 6, 5), 1.8)] }
};
const suitOf = suitsFrom(SUITS);

/** Cards without a colour that have a palette of their own. */
const OWN_PALETTE: Record<string, Palette> = { curse: CURSED, 'fuck you': RUDE };

// Faces -----------------------------------------------------------------------------------------------

function face(card: Card, book: Book): Face {
  const event = EVENTS[card.id];
  if (event) return eventFace(card, event);
  const suit = card.suit ?? '';
  if (!suit) return specialFace(card);
  const parts = suitsIn(suit, book);
  const icon = SPECIALS[idWithoutSuit(card)];
  if (parts.length > 1) return swapFace(card, book, parts, icon ?? []);
  const design = suitOf(suit, book);
  return icon ? colouredFace(card, book, design, icon) : numberFace(card, book, design);
}

function numberFace(card: Card, book: Book, design: SuitDesign): Face {
  const rank = card.rank ?? '';
  const middle = MIDDLES[card.suit ?? ''] ?? DEFAULT_MIDDLE;
  return {
    palette: design.palette,
    picture: [stripes(), at(61, 89, 60, design.symbol), numeral(rank, middle, design.palette)],
    rank,
    icon: [],
    marks: [suitMark(card.suit ?? '', design, book)],
    name: ''
  };
}

function colouredFace(card: Card, book: Book, design: SuitDesign, icon: Shape[]): Face {
  return {
    palette: design.palette,
    picture: [stripes(), onCard([solid(circle(60, 58, 23.5), 'ink')]), at(60, 58, 32, icon, inverted(design.palette))],
    rank: '',
    icon,
    marks: [suitMark(card.suit ?? '', design, book, 40)],
    name: card.rank || card.name
  };
}

/** A colour swap: the first colour above, the second below. */
function swapFace(card: Card, book: Book, parts: string[], icon: Shape[]): Face {
  const [above, below] = parts.map((part) => suitOf(part, book));
  if (!above || !below) return specialFace(card);
  return {
    palette: above.palette,
    picture: [
      { ...onCard([solid('M0 65L88 51V124H0Z', 'paper')]), palette: below.palette },
      { ...onCard([solid(circle(70, 56, 15), 'paper')]), palette: SPECIAL },
      at(70, 56, 21, icon, SPECIAL)
    ],
    rank: '',
    icon,
    marks: [suitMark(parts[0] ?? '', above, book, 38), suitMark(parts[1] ?? '', below, book, 67)],
    name: card.rank || card.name,
    foot: below.palette
  };
}

function specialFace(card: Card): Face {
  const icon = SPECIALS[card.id] ?? [];
  const palette = OWN_PALETTE[card.id] ?? SPECIAL;
  return { palette, picture: [onCard(RING), at(57, 55, 31, icon)], rank: '', icon, marks: [], name: card.name };
}

function eventFace(card: Card, icon: Shape[]): Face {
  return {
    palette: EVENT,
    picture: [
      onCard([solid(star(54, 57, 52, 34, 14), 'soft'), solid(star(54, 57, 38, 28, 14), 'shade')]),
      at(55, 58, 38, icon)
    ],
    rank: '',
    icon,
    marks: [],
    name: card.name
  };
}

// Parts of pictures -----------------------------------------------------------------------------------

const STRIPES = [line('M62 -6L96 28M74 -6L100 20M50 -6L98 42', 5, 'soft')];
/** The four colours, around cards without a colour. */
const RING: Shape[] = [
  solid(circle(57, 55, 25), 'soft'),
  line('M57 30A25 25 0 0 1 82 55', 5, '#cc2233'),
  line('M82 55A25 25 0 0 1 57 80', 5, '#ffcf26'),
  line('M57 80A25 25 0 0 1 32 55', 5, '#1f9a55'),
  line('M32 55A25 25 0 0 1 57 30', 5, '#2f74dc')
];

interface Middle {
  x: number;
  y: number;
  scale: number;
}

/** Where the numeral stands in the large shape. */
const DEFAULT_MIDDLE: Middle = { x: 61, y: 89, scale: 1.3 };
const MIDDLES: Record<string, Middle> = {
  red: { x: 61, y: 98.5, scale: 0.88 },
  blue: { x: 61, y: 89, scale: 1.02 },
  black: { x: 61, y: 92, scale: 0.82 }
};

function stripes(): Group {
  return onCard(STRIPES);
}

/** The rank again, large, inside the shape. */
function numeral(rank: string, place: Middle, palette: Palette): Group {
  const numerals = numeralsOf(rank, PEN);
  const shapes = numerals?.parts.map((part) => line(part.path, 6, 'paper')) ?? [];
  const width = numerals?.width ?? 0;
  return { shapes, x: place.x - (width * place.scale) / 2, y: place.y - 12 * place.scale, scale: place.scale, palette };
}

export const frantic: Design = {
  pen: PEN,
  font: NARROW,
  suit: suitOf,
  face,
  back: {
    palette: { paper: DARK, ink: WHITE, suit: '#ffcf26', soft: '#37353f', shade: '#000000' },
    picture: [
      onCard([line('M-10 40L60 -30M-10 70L90 -30M-10 100L100 -10M-10 130L100 20M0 150L100 50M20 160L100 80M50 160L100 110', 4, 'soft')]),
      at(27, 36, 34, [soft('M12 3L21.8 20.5H2.2Z', 2.4, '#cc2233')]),
      at(61, 36, 32, [soft(box(3.5, 3.5, 17, 17), 2.4, '#ffcf26')]),
      at(27, 88, 32, [solid(circle(12, 12, 10.6), '#1f9a55')]),
      at(61, 88, 36, [soft('M12 1.8L20.8 12L12 22.2L3.2 12Z', 2, '#2f74dc')]),
      at(44, 62, 24, [soft(star(12, 12.8, 11, 5, 5), 1.4, WHITE)])
    ]
  }
};
