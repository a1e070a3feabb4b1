/** The icons of Frantic's events, in 24 × 24. */

import { cut, ink, pen, scratch } from './icon_strokes';
import { box, circle, oval, round, star, type Shape } from './shapes';

const HEART = 'M12 12.5C8 9.5 6 7.5 6 5C6 3 7.5 1.8 9 1.8C10.3 1.8 11.4 2.5 12 3.7C12.6 2.5 13.7 1.8 15 1.8C16.5 1.8 18 3 18 5C18 7.5 16 9.5 12 12.5Z';

/** A revolver's cylinder: five of six chambers are empty. */
const CHAMBERS = [0, 1, 2, 3, 4]
  .map((chamber) => (chamber * Math.PI) / 3)
  .map((angle) => circle(round(12 + 6.3 * Math.sin(angle)), round(12 - 6.3 * Math.cos(angle)), 2.3))
  .join('');

export const EVENTS: Record<string, Shape[]> = {
  charity: [ink(HEART), pen('M2 15.5C4 21 8 22 12 22S20 21 22 15.5', 3.2)],
  communism: [
    ink(star(12, 6.5, 6, 2.5, 5)),
    ink(box(3, 15, 4, 7.5)),
    ink(box(10, 15, 4, 7.5)),
    ink(box(17, 15, 4, 7.5))
  ],
  doomsday: [
    ink('M12 1.5C16 1.5 18 3.5 18.5 5.5C21 5.5 22.5 7.2 22.5 9C22.5 11 21 12.5 18.5 12.5H5.5C3 12.5 1.5 11 1.5 9C1.5 7.2 3 5.5 5.5 5.5C6 3.5 8 1.5 12 1.5Z'),
    ink('M9.5 12H14.5C14.5 16 15 18.5 18.5 22H5.5C9 18.5 9.5 16 9.5 12Z'),
    scratch('M5.5 15.5H18.5', 1.6)
  ],
  earthquake: [
    ink('M1.5 9H22.5V22H1.5Z'),
    scratch('M13.5 7.5L9.5 12.5L14 15.5L10 23.5', 2.6),
    pen('M4 5.5L6 2.5L8 5.5M16 5.5L18 2.5L20 5.5', 2)
  ],
  expansion: [
    pen('M9.5 9.5L4 4M14.5 9.5L20 4M9.5 14.5L4 20M14.5 14.5L20 20', 2.8),
    ink('M2 2H8.5L2 8.5ZM22 2H15.5L22 8.5ZM2 22H8.5L2 15.5ZM22 22H15.5L22 15.5Z')
  ],
  'finish line': [
    pen('M4 2V22.5', 2.8),
    ink('M5 3H22V15H5Z'),
    cut(box(5.5, 3, 4.2, 4) + box(13.8, 3, 4.2, 4) + box(9.7, 7, 4.1, 4) + box(18, 7, 4, 4) + box(5.5, 11, 4.2, 4) + box(13.8, 11, 4.2, 4))
  ],
  'friday the 13th': [
    ink('M2.5 4.5H21.5V22H2.5Z'),
    pen('M7.5 1.5V5M16.5 1.5V5', 2.6),
    scratch('M2.5 8.5H21.5', 1.4),
    scratch('M6.5 12.8L8.5 11.5V19.5M12 12C16.5 10.8 17.5 14.5 14 15.3C18.5 15.5 17.5 20.5 12 19', 1.9)
  ],
  'gambling man': [
    ink('M5 2.5H19C20.5 2.5 21.5 3.5 21.5 5V19C21.5 20.5 20.5 21.5 19 21.5H5C3.5 21.5 2.5 20.5 2.5 19V5C2.5 3.5 3.5 2.5 5 2.5Z'),
    cut(circle(7.5, 7.5, 2) + circle(16.5, 7.5, 2) + circle(12, 12, 2) + circle(7.5, 16.5, 2) + circle(16.5, 16.5, 2))
  ],
  market: [
    ink('M3.5 2H20.5L22.5 8.5C22.5 12 17.5 12 17.2 9C17 12 12.3 12 12 9C11.7 12 7 12 6.8 9C6.5 12 1.5 12 1.5 8.5Z'),
    pen('M4 12V22.5M20 12V22.5', 2.4),
    ink(box(3.5, 16, 17, 3)),
    scratch('M7.5 2.5L6.8 8M16.5 2.5L17.2 8M12 2.5V8', 1.3)
  ],
  'mating season': [
    ink('M9 21C4 17 1.5 14.5 1.5 11.5C1.5 9.2 3.2 7.7 5.2 7.7C6.8 7.7 8.3 8.6 9 10C9.7 8.6 11.2 7.7 12.8 7.7C14.8 7.7 16.5 9.2 16.5 11.5C16.5 14.5 14 17 9 21Z'),
    ink('M18 9C15.8 7.2 14.5 6 14.5 4.3C14.5 3 15.5 2.2 16.5 2.2C17.2 2.2 17.7 2.6 18 3.2C18.3 2.6 18.8 2.2 19.5 2.2C20.5 2.2 21.5 3 21.5 4.3C21.5 6 20.2 7.2 18 9Z')
  ],
  'merry christmas': [
    ink('M12 2L17 8.5H14.8L19 14H16L21.5 20H2.5L8 14H5L9.2 8.5H7Z'),
    ink(box(10.5, 20, 3, 3)),
    cut(circle(12, 9, 1.1) + circle(9.5, 14.5, 1.1) + circle(14.5, 17, 1.1))
  ],
  'mexican standoff': [
    ink(circle(12, 13, 2.2)),
    pen('M12 1.5V5M2 20.5L5 18.5M22 20.5L19 18.5', 2.8),
    ink('M8.5 4.5H15.5L12 9.5ZM3 15L9 15L6.5 20.5ZM21 15L15 15L17.5 20.5Z')
  ],
  recession: [
    pen('M2 2V22H22.5', 2.4),
    pen('M5.5 6L10.5 10.5L13.5 8.5L18 14.5', 2.8),
    ink('M21 18.5L20.8 11.5L14.8 15.5Z')
  ],
  'robin hood': [
    pen('M7 1.5C17 4 20 13 15 22.5', 2.6),
    pen('M7 1.5L15 22.5', 1.3),
    pen('M1.5 15.5L18 9', 2.2),
    ink('M22.5 7L16.5 6.5L18.5 12Z'),
    ink('M1 13L4.5 14.5L3 18.5L.8 17.5Z')
  ],
  'surprise party': [
    ink('M9.5 6L18 14.5L2 22Z'),
    scratch('M7 12.5L11.5 17.5', 1.6),
    pen('M13 6C12 3.5 13.5 2 15 1.5M18 11C20.5 12 22 10.5 22.5 9M15.5 8.5L19 5', 2),
    ink(circle(20, 3, 1.2) + circle(9, 2.5, 1) + circle(21, 16, 1))
  ],
  'the all-seeing eye': [
    ink('M12 1.5L23 21.5H1Z'),
    cut('M5.5 15C8.5 10.5 15.5 10.5 18.5 15C15.5 19.5 8.5 19.5 5.5 15Z'),
    ink(circle(12, 15, 1.9))
  ],
  'third time lucky': [
    ink(star(12, 6.5, 6, 2.5, 5)),
    ink(star(5.8, 17, 5.5, 2.3, 5)),
    ink(star(18.2, 17, 5.5, 2.3, 5))
  ],
  'time bomb': [
    ink(circle(10.5, 14, 8.5)),
    ink(box(13.5, 3.5, 4, 4)),
    pen('M17 4.5C18 2 20 1.5 22 3', 2.2),
    ink(circle(22, 4.5, 1.2)),
    scratch('M10.5 9V14.5L14 16.5', 2)
  ],
  tornado: [pen('M2 3.5H22M4.5 8H19.5M7 12.5H18M9.5 17H15.5M11 21.5H13', 3.2)],
  vandalism: [
    ink('M8 9C8 7 9.5 6 11 6H14C15.5 6 17 7 17 9V22H8Z'),
    ink(box(10.5, 2, 4, 3)),
    scratch('M8 12.5H17M8 18.5H17', 1.4),
    ink(circle(6.5, 3, 1.2) + circle(3, 1.8, 1) + circle(3, 5, 1) + circle(5.5, 6.5, 0.9))
  ],
  'black hole': [
    ink(circle(12, 12, 2.6)),
    pen('M22 8C19 1.5 8.5 .5 4 6.5S3.5 20.5 12 21.5S21 16 19 11S11 5.5 8.5 9.5', 2.6)
  ],
  capitalism: [
    ink(oval(12, 5.5, 8.5, 3.5)),
    ink('M3.5 8.5C6 12 18 12 20.5 8.5V11.5C18 15 6 15 3.5 11.5Z'),
    ink('M3.5 14.5C6 18 18 18 20.5 14.5V18C18 23.5 6 23.5 3.5 18Z'),
    scratch('M10 5.5H14', 1.4)
  ],
  crowdfunding: [
    ink(circle(12, 5.5, 4.5)),
    scratch('M12 3.5V7.5', 1.5),
    ink('M2 13H22L20 22.5H4Z'),
    scratch('M7.5 15.8H16.5', 2)
  ],
  distributor: [
    pen('M12 8V15M12 9L5 15M12 9L19 15', 2.4),
    ink(circle(12, 4.5, 3.6)),
    ink(box(1.5, 15.5, 5.5, 7)),
    ink(box(9.2, 15.5, 5.5, 7)),
    ink(box(17, 15.5, 5.5, 7))
  ],
  'double taxation': [
    pen('M10.5 2L2.5 13.5M21.5 10.5L13.5 22', 2.4),
    pen(circle(4, 4.5, 1.9) + circle(9, 11, 1.9) + circle(15, 13, 1.9) + circle(20, 19.5, 1.9), 2)
  ],
  'event manager': [
    ink('M3.5 4H20.5V22.5H3.5Z'),
    ink('M8.5 1.5H15.5V6H8.5Z'),
    scratch('M8 6.8H16', 1.2),
    scratch('M7.5 13.5L11 17.5L17 10', 2.6)
  ],
  'identity theft': [
    ink('M1.5 4H22.5V20.5H1.5Z'),
    cut(circle(8, 9.5, 2.8) + 'M3.5 17.5C4 13 12 13 12.5 17.5Z'),
    scratch('M15 9H20M15 12.5H20M15 16H18', 1.8)
  ],
  'last chance': [
    ink('M4 1.5H20V4.5H4ZM4 19.5H20V22.5H4Z'),
    pen(
      'M6.5 4.5C6.5 9.5 10.5 10.5 10.5 12S6.5 14.5 6.5 19.5M17.5 4.5C17.5 9.5 13.5 10.5 13.5 12S17.5 14.5 17.5 19.5',
      2
    ),
    ink('M8 19.5C8 16.5 12 16.5 12 13.5C12 16.5 16 16.5 16 19.5Z')
  ],
  plague: [
    ink('M5 9C5 4.5 8 2 12 2C16.5 2 19.5 5 19.5 9.5V12C19.5 15 17 16.5 14.5 17L3 22.5C3.5 18 5 14 5 9Z'),
    cut(circle(12.5, 9.5, 3)),
    ink(circle(12.5, 9.5, 1.2)),
    pen('M2 5.5H22', 2.2)
  ],
  'plus one': [pen('M2.5 12H12.5M7.5 7V17', 3.6), pen('M15.5 7L19.5 4V20.5', 3.6)],
  repeat: [
    pen('M5.5 14V9C5.5 6.5 7 5 9.5 5H17', 2.8),
    ink('M16 .8L22.5 5L16 9.2Z'),
    pen('M18.5 10V15C18.5 17.5 17 19 14.5 19H7', 2.8),
    ink('M8 14.8L1.5 19L8 23.2Z')
  ],
  'russian roulette': [
    ink(circle(12, 12, 10.5)),
    cut(CHAMBERS + circle(12, 12, 1.3))
  ],
  seppuku: [
    ink('M8.5 14C13.5 11 18.5 7 22.5 1.5C21.5 8 17 13.5 11 17Z'),
    pen('M6 12L12.5 19', 2.4),
    pen('M7.5 17L2.5 21.5', 3.6)
  ],
  'trust fall': [
    ink(circle(5.5, 6, 3.2)),
    pen('M8 9.5L15 15.5L20.5 13', 3.4),
    pen('M15 15.5L19.5 20', 3),
    pen('M2 14C3.5 19.5 8 21.5 12.5 20.5', 2.4),
    ink('M1 10.5L5.5 14.5L0.8 17Z')
  ]
};
