/** For games without a design of their own: the symbols and colours of the book, on white. */

import type { Book, Card } from '../lib/protocol';
import { SANS, MARK_TOP, suitMark, tiled } from './faces';
import { line, solid, onCard, type Face, type Design, type Palette, type SuitMark, type SuitDesign } from './shapes';
import { suitsIn } from './suit_letters';

function palette(ink: string, soft: string): Palette {
  return { paper: '#fdfcf8', ink, suit: ink, soft, shade: ink };
}

const GREY = palette('#3a3f4a', '#e3e5ea');
const COLOURS: Record<string, Palette> = {
  red: palette('#b3201f', '#f8dcd8'),
  yellow: palette('#7d5a00', '#f8ebc0'),
  green: palette('#1a6a36', '#d8eddb'),
  blue: palette('#1c4fa3', '#d8e4f6'),
  cyan: palette('#0b6474', '#d2ecf0'),
  magenta: palette('#8a2380', '#f2daf0')
};

function suitDesign(suit: string, book: Book): SuitDesign {
  const shown = book.suits[suit];
  return { palette: COLOURS[shown?.colour ?? ''] ?? GREY, symbol: [], glyph: shown?.symbol ?? '' };
}

function marks(suit: string, book: Book): SuitMark[] {
  return suitsIn(suit, book).map((part, place) => suitMark(part, suitDesign(part, book), book, MARK_TOP + place * 24));
}

function face(card: Card, book: Book): Face {
  const suit = card.suit ?? '';
  const rank = card.rank ?? '';
  const design = suitDesign(suit, book);
  const short = suit !== '' && rank.length < 3;
  return {
    palette: design.palette,
    picture: [
      onCard([solid('M88 34V124H18Z', 'soft'), line('M8 124L88 20', 1.2, 'soft')]),
      { shapes: [], glyph: design.glyph ?? '', x: 34, y: 50, scale: 2.1 }
    ],
    rank: short ? rank : '',
    icon: [],
    marks: suit ? marks(suit, book) : [],
    name: short ? '' : rank || card.name
  };
}

export const plain: Design = {
  pen: { form: 'round', width: 5.4, cap: 'round', slant: 0 },
  font: SANS,
  suit: suitDesign,
  face,
  back: {
    palette: { paper: '#24344d', ink: '#ffffff', suit: '#9fb6d8', soft: '#33486a', shade: '#182437' },
    picture: tiled([solid('M12 1L23 12L12 23L1 12Z', 'soft')], 14, 20, 10)
  }
};
