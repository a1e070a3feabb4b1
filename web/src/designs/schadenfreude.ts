/** Schadenfreude: weapons and armour with sly faces, on cream. Negative cards have inverted colours and look sad. */

import type { Book, Card } from '../lib/protocol';
import { ROUNDED, suitMark, tiled, suitsFrom, inverted } from './faces';
import {
  at,
  box,
  circle,
  line,
  soft,
  solid,
  onCard,
  type Face,
  type Group,
  type Design,
  type Palette,
  type Shape,
  type SuitDesign
} from './shapes';

const CREAM = '#f8f0df';

function palette(ink: string, soft: string, shade: string): Palette {
  return { paper: CREAM, ink, suit: ink, soft, shade };
}

// Symbols -----------------------------------------------------------------------------------------

const SUITS: Record<string, SuitDesign> = {
  sword: {
    palette: palette('#b3261e', '#f2c6b6', '#7d1610'),
    symbol: [
      solid('M12 0L16.4 5V14.5H7.6V5Z'),
      soft(box(3.5, 14.8, 17, 2)),
      solid(box(10, 16, 4, 5)),
      solid(circle(12, 21.4, 2.6))
    ]
  },
  flag: {
    palette: palette('#1c6b3c', '#c5dfc0', '#0e4726'),
    symbol: [soft(box(3.4, 1.6, 1.8, 21)), soft('M7.6 2.4H22.6L18.6 9L22.6 15.6H7.6Z', 1.2)]
  },
  shield: {
    palette: palette('#1d4f9c', '#c3d3ec', '#11346c'),
    symbol: [
      soft('M12 1.8L21 4.4V11.2C21 16.8 17.4 20.6 12 22.6C6.6 20.6 3 16.8 3 11.2V4.4Z', 1.2),
      line('M12 5V18.6M6 10H18', 2.6, 'paper')
    ]
  },
  helmet: {
    palette: palette('#8a5600', '#f2dda4', '#5c3900'),
    symbol: [
      soft('M12 2C6.4 2 4 5.6 4 10.4V21.8H20V10.4C20 5.6 17.6 2 12 2Z', 1.2),
      solid('M6 10.2H18V13H13.4V19H10.6V13H6Z', 'paper')
    ]
  },
  wild: {
    palette: palette('#84267e', '#e9c6e4', '#551252'),
    symbol: [
      soft(
        'M4.4 16.4C4.2 11.4 3.4 9.2 2 8.2C5.4 7 8 8.2 9.2 10.8C9.6 7.4 10.6 5 12 3.4C13.4 5 14.4 7.4 14.8 10.8C16 8.2 18.6 7 22 8.2C20.6 9.2 19.8 11.4 19.6 16.4Z',
        1
      ),
      soft(box(4.6, 19, 14.8, 2.6)),
      solid(circle(2.4, 7.6, 2)),
      solid(circle(12, 2.6, 2)),
      solid(circle(21.6, 7.6, 2))
    ]
  }
};
const suitOf = suitsFrom(SUITS);

// Pictures: the arms, large enough to have a face; in card coordinates -------------------------

const ARMS: Record<string, { shapes: Shape[]; face: [number, number, number]; }> = {
  sword: {
    face: [59, 78, 0.92],
    shapes: [
      solid('M59 36L75 56V98H43V56Z'),
      solid('M59 36L75 56V98H59Z', 'shade'),
      soft(box(38, 99, 42, 5), 4),
      solid(box(54, 104, 10, 20), 'shade')
    ]
  },
  flag: {
    face: [60, 74, 1],
    shapes: [
      soft(box(39, 46, 2.5, 80), 3, 'shade'),
      soft('M43 50C52 46 60 55 69 51C74 49 79 49 86 51L79 74L86 98C78 95 74 97 69 99C60 103 52 94 43 98Z', 2),
      solid(circle(40, 45, 4))
    ]
  },
  shield: {
    face: [58, 76, 1.05],
    shapes: [
      soft('M58 46L82 53V78C82 96 72 108 58 115C44 108 34 96 34 78V53Z', 3),
      solid('M58 46L82 53V78C82 96 72 108 58 115Z', 'shade')
    ]
  },
  helmet: {
    face: [58, 80, 1.05],
    shapes: [
      solid('M58 50C60 40 70 36 82 39C78 42 77 46 79 51C74 47 68 47 64 52Z', 'shade'),
      soft('M58 48C42 48 34 58 34 73V116H82V73C82 58 74 48 58 48Z', 3),
      solid('M58 46.5C74 46.5 83.5 57 83.5 73V117.5H58Z', 'shade'),
      line('M39 101H52M39 107H52M64 101H77M64 107H77', 2.4, 'paper')
    ]
  },
  wild: {
    face: [61, 94, 1],
    shapes: [
      soft('M40 84H82V98C82 112 73 118 61 118S40 112 40 98Z', 2),
      solid('M61 84H83V98C83 113 73 119 61 119Z', 'shade'),
      soft(
        'M38 84C38 72 37 66 33 61C43 57 50 62 53 70C54 61 56 54 61 47C66 54 68 61 69 70C72 62 79 57 86 60C84 66 84 72 84 84C70 78 52 78 38 84Z',
        1,
        'soft'
      ),
      solid('M61 47C66 54 68 61 69 70C72 62 79 57 86 60C84 66 84 72 84 84C77 81 69 79.5 61 79.5Z', '#cf93c8'),
      solid(circle(61, 46, 4) + circle(34, 60, 3.6) + circle(85, 59, 3.6))
    ]
  }
};

const EYES = [soft('M-13 -6L-3 -1.5C-5 3 -11 2 -13 -6Z', 1, 'paper'), soft('M13 -6L3 -1.5C5 3 11 2 13 -6Z', 1, 'paper')];
const SAD_EYES = [
  soft('M-12 -1L-3 -5.5C-3 1 -9 4 -12 -1Z', 1, 'paper'),
  soft('M12 -1L3 -5.5C3 1 9 4 12 -1Z', 1, 'paper')
];

const SULK = [
  ...SAD_EYES,
  line('M-7 13C-3 7.5 3 7.5 7 13', 2.6, 'paper'),
  solid('M12 3C15 8 14.5 11 12 11S9 8 12 3Z', 'paper')
];
const SMIRK = [...EYES, line('M-6 9C-1 11 5 10 9 5', 2.6, 'paper')];
const SMILE = [...EYES, line('M-10 6C-6 13 6 13 10 6', 2.6, 'paper')];
const GLOAT = [
  ...EYES,
  soft('M-11 5C-6 8 6 8 11 5C10 14 5 17 0 17S-10 14 -11 5Z', 1, 'paper'),
  line('M-4 7.5V15.5M4 7.5V15.5M-9.5 11H9.5', 1.4, 'suit')
];

function moodOf(rank: number): Shape[] {
  if (rank < 0) return SULK;
  if (rank < 4) return SMIRK;
  return rank < 7 ? SMILE : GLOAT;
}

function face(card: Card, book: Book): Face {
  const suit = card.suit ?? '';
  const rank = card.rank ?? '';
  const design = suitOf(suit, book);
  const colours = Number(rank) < 0 ? reversed(design.palette) : design.palette;
  return {
    palette: colours,
    picture: picture(suit, Number(rank)),
    rank,
    icon: [],
    marks: [suitMark(suit, { ...design, palette: colours }, book)],
    name: ''
  };
}

function reversed(colours: Palette): Palette {
  return { ...inverted(colours), soft: colours.shade, shade: colours.soft };
}

function picture(suit: string, rank: number): Group[] {
  const arms = ARMS[suit];
  if (!arms) return [];
  const [x, y, scale] = arms.face;
  return [
    onCard([solid('M88 26V124H16C38 112 38 92 52 78S80 58 88 26Z', 'soft')]),
    onCard(arms.shapes),
    { shapes: moodOf(rank), x, y, scale }
  ];
}

export const schadenfreude: Design = {
  pen: { form: 'round', width: 6, cap: 'round', slant: 7 },
  font: ROUNDED,
  suit: suitOf,
  face,
  back: {
    palette: { paper: '#3b1d3a', ink: CREAM, suit: '#e0a43a', soft: '#5a2f57', shade: '#28112a' },
    picture: [
      ...tiled([line('M2 9C5 19 19 19 22 9', 3, 'soft'), line('M5 5L9 7M19 5L15 7', 2.6, 'soft')], 17, 26, 20, 10),
      at(44, 62, 46, [
        solid(circle(12, 12, 11.5)),
        solid('M4.5 8L10.5 10C9.5 12.5 5.5 12 4.5 8ZM19.5 8L13.5 10C14.5 12.5 18.5 12 19.5 8Z', 'paper'),
        line('M6 15C10 18.5 15.5 17.5 18.5 13.5', 1.8, 'paper')
      ])
    ]
  }
};
