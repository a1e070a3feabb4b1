/** Cursed Tricks: night colours; the rank is a phase of the moon and a number of beads on a magic circle. */

import { SERIF, facesFrom, suitsFrom } from './faces';
import {
  at,
  circle,
  line,
  oval,
  round,
  soft,
  solid,
  star,
  onCard,
  type Group,
  type Design,
  type Palette,
  type SuitDesign
} from './shapes';

const NIGHT = '#1f1730';
const FULL_MOON = 14;

function palette(suit: string, soft: string, shade: string): Palette {
  return { paper: NIGHT, ink: suit, suit, soft, shade };
}

const SUITS: Record<string, SuitDesign> = {
  purple: {
    palette: palette('#c9a8ff', '#3d2a63', '#8d63d6'),
    symbol: [
      solid('M12 .5L21 8.5L12 23.5L3 8.5Z'),
      solid('M12 .5L21 8.5L12 23.5Z', 'shade'),
      line('M3 8.5L12 11L21 8.5', 1.5, 'paper'),
      solid('M12 .5L9.4 8L12 9.6L14.6 8Z', 'paper')
    ]
  },
  green: {
    palette: palette('#8be3a4', '#1f4a3a', '#4aa86a'),
    symbol: [
      solid(circle(12, 6.6, 5)),
      solid(circle(6.2, 13.6, 5), 'shade'),
      solid(circle(17.8, 13.6, 5), 'shade'),
      line('M12 9V18C12 20.5 13.5 22 15.5 22.5', 2.4)
    ]
  },
  red: {
    palette: palette('#ff9c96', '#5a2233', '#d2505a'),
    symbol: [
      solid('M12 22C5 16.5 1.5 12.5 1.5 8.2C1.5 4.8 4 2.5 7 2.5C9.2 2.5 11 3.6 12 5.5C13 3.6 14.8 2.5 17 2.5C20 2.5 22.5 4.8 22.5 8.2C22.5 12.5 19 16.5 12 22Z'),
      line('M19.5 1.5L8 15', 2.2, 'paper'),
      solid(circle(20, 2.6, 2.4), 'shade')
    ]
  },
  yellow: {
    palette: palette('#ffd76a', '#544018', '#c99a2e'),
    symbol: [solid('M13.5 1.5A10.6 10.6 0 1 0 22.5 15.5A9 9 0 0 1 13.5 1.5Z'), soft(star(17.6, 6.8, 4.6, 2, 5), 0.6)]
  }
};
const suitOf = suitsFrom(SUITS);

// The picture ----------------------------------------------------------------------------------------

const MIDDLE = { x: 58, y: 88 };

/** As many beads on the circle as the rank says. */
function beads(rank: number): string {
  return Array.from({ length: rank }, (_, bead) => {
    const angle = (2 * Math.PI * bead) / Math.max(rank, 3);
    return circle(round(MIDDLE.x + 24 * Math.sin(angle)), round(MIDDLE.y - 24 * Math.cos(angle)), 2.7);
  }).join('');
}

/** The higher the rank, the fuller the moon. */
function moon(rank: number): string {
  const bulge = round(9 * (1 - (2 * Math.min(rank, FULL_MOON)) / FULL_MOON));
  return `M70 10A9 9 0 0 1 70 28A${Math.abs(bulge)} 9 0 0 ${bulge > 0 ? 0 : 1} 70 10Z`;
}

function picture(design: SuitDesign, rank: number): Group[] {
  return [
    onCard([
      solid(circle(MIDDLE.x, MIDDLE.y, 62), 'soft'),
      solid(circle(70, 19, 9), 'soft'),
      line(circle(70, 19, 9), 1, 'shade'),
      solid(moon(rank)),
      solid(star(80, 46, 3, 1.2, 4) + star(57, 43, 2.4, 1, 4) + star(40, 118, 2.6, 1, 4), 'shade'),
      solid(circle(MIDDLE.x, MIDDLE.y, 24), 'paper'),
      line(circle(MIDDLE.x, MIDDLE.y, 24), 1.6, 'shade'),
      line(circle(MIDDLE.x, MIDDLE.y, 19), 0.9, 'shade'),
      solid(beads(rank))
    ]),
    { ...at(MIDDLE.x, MIDDLE.y, 26, design.symbol), palette: design.palette }
  ];
}

export const cursedTricks: Design = {
  pen: { form: 'round', width: 4.8, cap: 'square', slant: 0 },
  font: SERIF,
  suit: suitOf,
  face: facesFrom(suitOf, picture),
  back: {
    palette: { paper: '#140e22', ink: '#f1e6ff', suit: '#b58cff', soft: '#2b1d47', shade: '#6f4fb0' },
    picture: [
      onCard([
        solid(circle(44, 62, 52), 'soft'),
        line(circle(44, 62, 33), 1.4, 'shade'),
        line('M44 29L77 62L44 95L11 62ZM20.7 38.7H67.3V85.3H20.7Z', 1.4, 'shade'),
        solid('M12 62C24 44 64 44 76 62C64 80 24 80 12 62Z', 'paper'),
        line('M12 62C24 44 64 44 76 62C64 80 24 80 12 62Z', 2.2),
        solid(circle(44, 62, 11)),
        solid(oval(44, 62, 3.4, 9.5), 'paper'),
        solid('M18 14A7 7 0 1 0 25 21A6 6 0 0 1 18 14Z'),
        solid('M70 110A7 7 0 1 0 63 103A6 6 0 0 1 70 110Z'),
        solid(star(70, 18, 4.5, 1.6, 4) + star(18, 106, 4.5, 1.6, 4) + star(44, 16, 3, 1.2, 4) + star(44, 108, 3, 1.2, 4))
      ])
    ]
  }
};
