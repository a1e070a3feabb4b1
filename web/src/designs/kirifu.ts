/** Kirifu: shapes folded and cut from paper, with a light and a dark side; only the World is round. */

import type { Book, Card } from '../lib/protocol';
import { SANS, suitMark, suitsFrom, inverted } from './faces';
import { CHARACTERS, PERSON } from './kirifu_characters';
import {
  at,
  circle,
  line,
  solid,
  star,
  onCard,
  type Face,
  type Group,
  type Design,
  type Palette,
  type Shape,
  type SuitDesign
} from './shapes';

const WASHI = '#fbf7ee';
const WORLD = 'spade A';

function palette(ink: string, suit: string, shade: string, soft: string): Palette {
  return { paper: WASHI, ink, suit, soft, shade };
}

// Symbols: the light left half, then the dark right half -------------------------------------------------

const SUITS: Record<string, SuitDesign> = {
  spade: {
    palette: palette('#104a74', '#2a7bb0', '#104a74', '#cfe2ee'),
    symbol: [
      solid('M12 .5L2 12V16L6 19L12 16Z'),
      solid('M12 .5L22 12V16L18 19L12 16Z', 'shade'),
      solid('M12 15.5L7.5 23.5H12Z'),
      solid('M12 15.5L16.5 23.5H12Z', 'shade')
    ]
  },
  heart: {
    palette: palette('#a5182a', '#dc4450', '#a5182a', '#f7d4d2'),
    symbol: [solid('M12 23L1.5 11V6.5L5.5 2.5H8.5L12 6.5Z'), solid('M12 23L22.5 11V6.5L18.5 2.5H15.5L12 6.5Z', 'shade')]
  },
  diamond: {
    palette: palette('#855300', '#dba02a', '#a46a06', '#f6e3b8'),
    symbol: [solid('M12 .5L3.5 12L12 23.5Z'), solid('M12 .5L20.5 12L12 23.5Z', 'shade')]
  },
  club: {
    palette: palette('#245a22', '#5aa552', '#2d6e2a', '#d5e8cc'),
    symbol: [
      solid('M12 .8L7.3 3.5V8.5L9.5 10L6.5 9.5L1.5 12.5V17L6 19.5L10.5 17L12 14Z'),
      solid('M12 .8L16.7 3.5V8.5L14.5 10L17.5 9.5L22.5 12.5V17L18 19.5L13.5 17L12 14Z', 'shade'),
      solid('M12 14L8 23.5H12Z'),
      solid('M12 14L16 23.5H12Z', 'shade')
    ]
  }
};
const suitOf = suitsFrom(SUITS);

// Pictures --------------------------------------------------------------------------------------------

const SHEET = [solid('M88 22V124H14Z', 'soft')];
/** The higher a card, the more cuts in its sheet. */
const CUTS = [
  'M88 34L80 33L88 24Z',
  'M88 48L77 45L84 37Z',
  'M24 124L25 116L32 124Z',
  'M38 124L38 113L46 124Z',
  'M52 124L51 110L60 124Z'
];

function cuts(rank: number): Shape[] {
  return [solid(CUTS.slice(0, Math.max(0, Math.min(CUTS.length, rank - 6))).join(''), 'paper')];
}

const GLOBE: Shape[] = [
  solid(star(60, 88, 33, 26, 16), 'soft'),
  solid(circle(60, 88, 22), 'suit'),
  solid('M60 66A22 22 0 0 1 60 110Z', 'shade'),
  line('M60 66C48 78 48 98 60 110M60 66C72 78 72 98 60 110M38 88H82M42 76H78M42 100H78', 1.6, 'paper')
];

function picture(card: Card, design: SuitDesign): Group[] {
  if (card.id === WORLD) return [
    onCard([solid('M88 22V124H14Z', '#1c5d8c'), ...GLOBE]),
    at(60, 88, 22, design.symbol, WORLD_SPADE)
  ];
  if (card.rank === 'A') return [
    onCard([...SHEET, solid(star(57, 84, 40, 24, 12), 'paper')]),
    at(57, 84, 46, design.symbol)
  ];
  return [onCard([...SHEET, ...cuts(Number(card.rank))]), at(58, 84, 54, design.symbol)];
}

const NIGHT: Palette = { paper: '#0d3555', ink: '#ffffff', suit: '#5bb0e0', soft: '#e9c46a', shade: '#2f83b8' };
const WORLD_SPADE: Palette = { ...NIGHT, suit: '#ffffff', shade: '#d9e9f3' };
const PORTRAIT: Palette = { paper: '#f3e7d3', ink: '#3a1f24', suit: '#a5182a', soft: '#e3cfae', shade: '#6f0f1d' };

function face(card: Card, book: Book): Face {
  const suit = card.suit ?? '';
  if (!suit) return portrait(card);
  const design = suitOf(suit, book);
  const drawn = card.id === WORLD ? { ...design, palette: NIGHT } : design;
  return {
    palette: drawn.palette,
    picture: picture(card, drawn),
    rank: card.rank ?? '',
    icon: [],
    marks: [suitMark(suit, card.id === WORLD ? { ...design, palette: { ...WORLD_SPADE } } : design, book)],
    name: ''
  };
}

function portrait(card: Card): Face {
  const character = CHARACTERS[card.id];
  return {
    palette: PORTRAIT,
    picture: [
      onCard([solid('M34 8H82V96H34Z', 'soft'), solid('M82 8V96L34 96Z', '#d6bd94')]),
      onCard([...PERSON, ...(character?.person ?? [])]),
      onCard([solid('M0 96H88V124H0Z', 'paper')])
    ],
    rank: '',
    icon: character?.icon ?? [],
    marks: [],
    name: card.name
  };
}

export const kirifu: Design = {
  pen: { form: 'cut', width: 5.6, cap: 'square', slant: 0 },
  font: SANS,
  suit: suitOf,
  face,
  back: {
    palette: {
      ...inverted(PORTRAIT),
      paper: '#7d1424',
      ink: '#fff4e2',
      suit: '#f0cf9a',
      soft: '#9c2233',
      shade: '#5e0b18'
    },
    picture: [
      onCard([
        solid(scales(), 'soft'),
        solid('M44 30L68 62L44 94L20 62Z', 'paper'),
        solid('M44 36L63 62H44Z'),
        solid('M44 88L25 62H44Z'),
        solid('M44 36L25 62H44Z', 'ink'),
        solid('M44 88L63 62H44Z', 'ink')
      ])
    ]
  }
};

/** Rows of triangles. */
function scales(): string {
  const rows = Array.from({ length: 12 }, (_, row) =>
    Array.from({ length: 8 }, (_, column) => `M${column * 14 - (row % 2) * 7} ${row * 11 + 11}l7 -11l7 11Z`).join('')
  );
  return rows.join('');
}
