/** What the designs of several games share. */

import type { Book, Card } from '../lib/protocol';
import { letterOf } from './suit_letters';
import type { Group, Design, Palette, Shape, SuitMark, SuitDesign } from './shapes';

/** System fonts for letters and names; ranks are drawn. */
export const SANS = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Noto Sans CJK JP", sans-serif';
export const ROUNDED = 'ui-rounded, "Hiragino Maru Gothic ProN", "Arial Rounded MT Bold", Nunito, ' + SANS;
export const SERIF =
  'ui-serif, "Iowan Old Style", "Palatino Linotype", "Noto Serif", "Hiragino Mincho ProN", "Noto Serif CJK JP", serif';
export const NARROW = '"Avenir Next Condensed", "Roboto Condensed", "Arial Narrow", ' + SANS;

export const MARK_TOP = 44;

const UNKNOWN: Palette = { paper: '#fdfcf8', ink: '#2a2733', suit: '#2a2733', soft: '#e6e3da', shade: '#000000' };

/** The drawn suit, or the book's own symbol if it has not been drawn. */
export function suitsFrom(suits: Record<string, SuitDesign>): Design['suit'] {
  return (suit, book) => suits[suit] ?? { palette: UNKNOWN, symbol: [], glyph: book.suits[suit]?.symbol ?? '' };
}

export function suitMark(suit: string, design: SuitDesign, book: Book, y = MARK_TOP): SuitMark {
  return { ...design, letter: letterOf(suit, book), y };
}

/** Faces for cards with a suit and a number. */
export function facesFrom(suitOf: Design['suit'], picture: (design: SuitDesign, rank: number) => Group[]): Design['face'] {
  return (card, book) => {
    const suit = card.suit ?? '';
    const rank = card.rank ?? '';
    const design = suitOf(suit, book);
    return { palette: design.palette, picture: picture(design, Number(rank)), rank, icon: [], marks: [suitMark(suit, design, book)], name: '' };
  };
}

/** The card's id without its suit: "red gift" gives "gift". */
export function idWithoutSuit(card: Card): string {
  return card.suit ? card.id.slice(card.suit.length + 1) : card.id;
}

/** Paper and ink swapped. */
export function inverted(palette: Palette): Palette {
  return { ...palette, paper: palette.ink, ink: palette.paper, suit: palette.paper };
}

/** The same shapes in staggered rows: the pattern of a back. */
export function tiled(shapes: Shape[], size: number, across: number, down: number, turn = 0): Group[] {
  const groups: Group[] = [];
  for (let row = 0; row * down < 124 + size; row += 1) {
    const shift = row % 2 ? across / 2 : 0;
    for (let x = shift - across; x < 88 + size; x += across) {
      groups.push({ shapes, x, y: row * down - size / 2, scale: size / 24, turn: row % 2 ? -turn : turn });
    }
  }
  return groups;
}
