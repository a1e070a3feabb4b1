/** Any other game: the signs and colour words of its book on white. */

import type { Book, Card } from '../lib/protocol';
import { SANS, SIGN_TOP, signOf, strewn } from './faces';
import { line, solid, whole, type Face, type Look, type Palette, type Sign, type SuitLook } from './shapes';
import { partsOf } from './suit_letters';

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

function suitLook(suit: string, book: Book): SuitLook {
  const shown = book.suits[suit];
  return { palette: COLOURS[shown?.colour ?? ''] ?? GREY, symbol: [], glyph: shown?.symbol ?? '' };
}

function signs(suit: string, book: Book): Sign[] {
  return partsOf(suit, book).map((part, place) => signOf(part, suitLook(part, book), book, SIGN_TOP + place * 24));
}

function face(card: Card, book: Book): Face {
  const suit = card.suit ?? '';
  const rank = card.rank ?? '';
  const look = suitLook(suit, book);
  const short = suit !== '' && rank.length < 3;
  return {
    palette: look.palette,
    picture: [
      whole([solid('M88 34V124H18Z', 'soft'), line('M8 124L88 20', 1.2, 'soft')]),
      { shapes: [], glyph: look.glyph ?? '', x: 34, y: 50, scale: 2.1 }
    ],
    rank: short ? rank : '',
    icon: [],
    signs: suit ? signs(suit, book) : [],
    name: short ? '' : rank || card.name
  };
}

export const plain: Look = {
  pen: { form: 'round', width: 5.4, cap: 'round', slant: 0 },
  font: SANS,
  suit: suitLook,
  face,
  back: {
    palette: { paper: '#24344d', ink: '#ffffff', suit: '#9fb6d8', soft: '#33486a', shade: '#182437' },
    picture: strewn([solid('M12 1L23 12L12 23L1 12Z', 'soft')], 14, 20, 10)
  }
};
