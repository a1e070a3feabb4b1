/** What all looks do alike. */

import type { Book, Card } from '../lib/protocol';
import { letterOf } from './suit_letters';
import type { Group, Look, Palette, Shape, Sign, SuitLook } from './shapes';

/** Systems' own fonts for letters and names; ranks are drawn. */
export const SANS = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Noto Sans CJK JP", sans-serif';
export const ROUNDED = 'ui-rounded, "Hiragino Maru Gothic ProN", "Arial Rounded MT Bold", Nunito, ' + SANS;
export const SERIF =
  'ui-serif, "Iowan Old Style", "Palatino Linotype", "Noto Serif", "Hiragino Mincho ProN", "Noto Serif CJK JP", serif';
export const NARROW = '"Avenir Next Condensed", "Roboto Condensed", "Arial Narrow", ' + SANS;

export const SIGN_TOP = 44;

const UNKNOWN: Palette = { paper: '#fdfcf8', ink: '#2a2733', suit: '#2a2733', soft: '#e6e3da', shade: '#000000' };

/** The suit as drawn, or the book's own sign for one that nobody has drawn. */
export function suitFrom(suits: Record<string, SuitLook>, suit: string, book: Book): SuitLook {
  return suits[suit] ?? { palette: UNKNOWN, symbol: [], glyph: book.suits[suit]?.symbol ?? '' };
}

export function signOf(suit: string, look: SuitLook, book: Book, y = SIGN_TOP): Sign {
  return { ...look, letter: letterOf(suit, book), y };
}

/** Cards that are a suit and a number, and a picture for both. */
export function faceOf(suits: Record<string, SuitLook>, picture: (look: SuitLook, rank: number) => Group[]): Look['face'] {
  return (card, book) => {
    const suit = card.suit ?? '';
    const rank = card.rank ?? '';
    const look = suitFrom(suits, suit, book);
    return { palette: look.palette, picture: picture(look, Number(rank)), rank, icon: [], signs: [signOf(suit, look, book)], name: '' };
  };
}

/** What a card's id says besides its suit, whatever the language. */
export function wordOf(card: Card): string {
  return card.suit ? card.id.slice(card.suit.length + 1) : card.id;
}

export function turned(palette: Palette): Palette {
  return { ...palette, paper: palette.ink, ink: palette.paper, suit: palette.paper };
}

/** The same shapes in many places: the pattern of a back. */
export function strewn(shapes: Shape[], size: number, across: number, down: number, turn = 0): Group[] {
  const groups: Group[] = [];
  for (let row = 0; row * down < 124 + size; row += 1) {
    const shift = row % 2 ? across / 2 : 0;
    for (let x = shift - across; x < 88 + size; x += across) {
      groups.push({ shapes, x, y: row * down - size / 2, scale: size / 24, turn: row % 2 ? -turn : turn });
    }
  }
  return groups;
}
