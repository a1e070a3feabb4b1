/** Shinigami Preschool: little reapers in the colours of their suits, with a different face for each rank. */

import { ROUNDED, facesFrom, tiled, suitsFrom } from './faces';
import {
  at,
  circle,
  line,
  oval,
  soft,
  solid,
  star,
  onCard,
  type Group,
  type Design,
  type Palette,
  type Shape,
  type SuitDesign
} from './shapes';

const NIGHT = '#2e2745';
const BONE = '#fffaf0';
const BLUSH = '#f7a8b4';

function palette(paper: string, ink: string, suit: string, soft: string, shade: string): Palette {
  return { paper, ink, suit, soft, shade };
}

function inInk(path: string): Shape[] {
  return [soft(path, 1.8, 'ink')];
}

const SUITS: Record<string, SuitDesign> = {
  red: {
    palette: palette('#ffeef0', '#b01c3e', '#e8556f', '#ffd2d9', '#c23a56'),
    symbol: inInk('M12 21C6 16.5 2.5 13 2.5 8.8C2.5 5.8 4.7 3.7 7.3 3.7C9.3 3.7 11 4.8 12 6.5C13 4.8 14.7 3.7 16.7 3.7C19.3 3.7 21.5 5.8 21.5 8.8C21.5 13 18 16.5 12 21Z')
  },
  blue: {
    palette: palette('#ecf3ff', '#1b4aa6', '#4f86e3', '#cfe0ff', '#3566bd'),
    symbol: inInk('M12 2L20.5 12L12 22L3.5 12Z')
  },
  yellow: {
    palette: palette('#fff8df', '#7a5200', '#f0bb2c', '#ffe9a3', '#cf9810'),
    symbol: inInk(star(12, 12.8, 10.6, 4.9, 5))
  },
  green: {
    palette: palette('#eaf8ea', '#176032', '#4cb06c', '#c8ecc9', '#328a50'),
    symbol: [
      solid(circle(12, 6.8, 4.9), 'ink'),
      solid(circle(6.4, 13.6, 4.9), 'ink'),
      solid(circle(17.6, 13.6, 4.9), 'ink'),
      soft('M12 11L13.5 21.5H10.5Z', 1.6, 'ink')
    ]
  }
};
const suitOf = suitsFrom(SUITS);

// The pupil: in card coordinates; the face is centred on 0 0 ---------------------------------------

const SCYTHE = [
  line('M31 122L44 40', 3.4, '#8a6a4d'),
  soft('M44 41C56 30 72 32 80 44C70 39 58 40 47 48Z', 1.2, '#aab4c8')
];
const CLOAK = [
  soft('M60 46C76 50 82 64 82 80C82 96 85 112 88 126H34C37 112 39 96 39 80C39 64 46 54 60 46Z', 2),
  solid('M60 46C52 40 44 42 40 48C46 47 49 50 50 55Z'),
  solid('M66 124C70 112 70 104 66 98C74 98 79 94 81 88C83 102 85 114 88 126Z', 'shade')
];
const HEAD = [soft(oval(60, 79, 17, 16), 2, NIGHT), solid(oval(60, 80, 14, 12.6), BONE)];
const HAND = [solid(circle(39, 96, 4.6), BONE)];

const DOTS = [solid(oval(-5.5, 0, 2.3, 3.2) + oval(5.5, 0, 2.3, 3.2), NIGHT)];
const ARCS = [line('M-8 1C-7 -2 -4 -2 -3 1M3 1C4 -2 7 -2 8 1', 1.9, NIGHT)];
const SLEEPY = [line('M-8 -.5C-7 2 -4 2 -3 -.5M3 -.5C4 2 7 2 8 -.5', 1.9, NIGHT)];
const WINK = [solid(oval(-5.5, 0, 2.3, 3.2), NIGHT), line('M3 .5C4 -2 7 -2 8 .5', 1.9, NIGHT)];
const WIDE = [
  solid(circle(-5.5, 0, 3.4) + circle(5.5, 0, 3.4), NIGHT),
  solid(circle(-4.5, -1.2, 1.1) + circle(6.5, -1.2, 1.1), BONE)
];
const STARS = [solid(star(-5.5, 0, 3.8, 1.7, 5) + star(5.5, 0, 3.8, 1.7, 5), NIGHT)];

const TINY = [line('M-2 5.5C-1 6.8 1 6.8 2 5.5', 1.6, NIGHT)];
const OPEN = [solid(oval(0, 6.6, 1.9, 2.2), NIGHT)];
const GRIN = [soft('M-4 4.8H4C3.5 9 -3.5 9 -4 4.8Z', 0.8, NIGHT)];
const CAT = [line('M-3.6 5C-3.2 7 -.4 7 0 5C.4 7 3.2 7 3.6 5', 1.6, NIGHT)];
const FANG = [line('M-3.5 5.4H3.5', 1.6, NIGHT), solid('M.8 5.5H3L1.9 8.5Z', NIGHT)];

/** By rank. */
const FACES: Shape[][] = [
  [...DOTS, ...OPEN],
  [...DOTS, ...TINY],
  [...ARCS, ...TINY],
  [...WINK, ...CAT],
  [...SLEEPY, ...OPEN],
  [...WIDE, ...GRIN],
  [...DOTS, ...FANG],
  [...ARCS, ...GRIN],
  [...STARS, ...CAT]
];

function picture(design: SuitDesign, rank: number): Group[] {
  const bright: Palette = { ...design.palette, ink: BONE };
  return [
    onCard([
      solid(circle(62, 84, 44), 'soft'),
      ...SCYTHE,
      ...CLOAK,
      ...HAND,
      ...HEAD,
      solid(oval(50.5, 85, 2.6, 1.7) + oval(69.5, 85, 2.6, 1.7), BLUSH)
    ]),
    { shapes: FACES[(rank - 1) % FACES.length] ?? [], x: 60, y: 79, scale: 1 },
    at(60, 110, 17, design.symbol, bright)
  ];
}

export const shinigamiPreschool: Design = {
  pen: { form: 'round', width: 6.6, cap: 'round', slant: 0 },
  font: ROUNDED,
  suit: suitOf,
  face: facesFrom(suitOf, picture),
  back: {
    palette: { paper: '#3a3158', ink: '#fff6e6', suit: '#f3b7c4', soft: '#4d4374', shade: '#2a2243' },
    picture: [
      ...tiled([solid(star(12, 12, 10, 4, 4), 'soft')], 9, 22, 16),
      onCard([
        soft('M44 24C66 28 74 48 74 66C74 84 80 104 86 126H2C8 104 14 84 14 66C14 48 26 32 44 24Z', 2, 'shade'),
        soft(oval(44, 66, 22, 20), 2, '#1d1730'),
        solid(oval(44, 67.5, 18, 16), BONE),
        solid(oval(33, 75, 3.3, 2) + oval(55, 75, 3.3, 2), BLUSH)
      ]),
      { shapes: [...ARCS, ...CAT], x: 44, y: 66, scale: 1.3 }
    ]
  }
};
