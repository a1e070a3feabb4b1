/** The ten characters of Kirifu: what each wears over the common figure, and the icon in the corner. */

import { circle, line, round, soft, solid, type Shape } from './shapes';

interface Character {
  /** Drawn over the figure, in card coordinates. */
  person: Shape[];
  /** In 24 × 24. */
  icon: Shape[];
}

const SKIN = '#f0c9a2';
const CLOTH = '#2f4b66';
const STRAW = '#e0b04a';

/** Head and shoulders, the middle at x 58. */
export const PERSON: Shape[] = [
  solid('M34 96L40 76L52 69H64L76 76L82 96Z', CLOTH),
  solid('M58 69H64L76 76L82 96H58Z', '#22384d'),
  solid('M52 60H64V70L58 76L52 70Z', '#d9a878'),
  solid('M46 40H70V54L62 65H54L46 54Z', SKIN),
  solid('M58 40H70V54L62 65H58Z', '#e0b186'),
  solid('M51 49H55V52H51ZM61 49H65V52H61Z', 'ink')
];

const LONG_HAIR = solid('M44 68L41 46L44 36L50 31H66L72 36L75 46L72 68L68 58L69 42H47L48 58Z', '#4a2a1c');

export const CHARACTERS: Record<string, Character> = {
  locksmith: {
    person: [
      solid('M43 42L46 30H70L73 42Z', '#7b4a2a'),
      solid('M40 42H76V46H40Z', '#5b3218'),
      solid('M55 80H61V84H67V96H49V84H55Z', STRAW)
    ],
    icon: [
      line(circle(8, 8, 5), 3.4, 'suit'),
      line('M11.5 11.5L21 21M16.5 16.5L20 13M19.5 19.5L22.5 16.5', 3.2, 'suit')
    ]
  },
  monk: {
    person: [
      solid('M46 44L47 36L53 31H63L69 36L70 44L66 40H50Z', SKIN),
      solid('M40 76L52 69L82 96H34Z', '#c8752d'),
      ...beads(46, 84, 6, 5)
    ],
    icon: [...ring(12, 10, 8, 9), soft('M12 20V23', 2.6)]
  },
  drummer: {
    person: [
      solid('M44 66L42 44L46 32H70L74 44L72 66L68 56L69 42H47L48 56Z', 'ink'),
      solid('M44 37H72V42H44Z', 'suit'),
      solid('M72 37L82 33L80 44L72 42Z', 'shade'),
      solid('M44 80H72L69 97H47Z', 'suit'),
      solid('M42 77H74V82H42Z', STRAW)
    ],
    icon: [
      soft('M4 11H20V20C18 23 6 23 4 20Z', 1.4),
      soft('M4 10.5C6 7.5 18 7.5 20 10.5C18 13.5 6 13.5 4 10.5Z', 1, 'soft'),
      line('M3 1.5L11 9.5M21 1.5L13 9.5', 2.4, 'ink')
    ]
  },
  peddler: {
    person: [
      solid('M66 52H84V96H70Z', STRAW),
      line('M68 62H84M70 74H84M72 86H84', 2, '#a87a1e'),
      solid('M38 42L58 28L78 42Z', '#7b4a2a')
    ],
    icon: [
      soft('M3.5 9H20.5L18.5 21.5H5.5Z', 1.6),
      line('M7 9C7 1.5 17 1.5 17 9', 2.6),
      line('M9 13V18M15 13V18', 2, 'paper')
    ]
  },
  juggler: {
    person: [
      LONG_HAIR,
      solid('M46 38L40 24L54 34L58 20L62 34L76 24L70 38Z', 'suit'),
      solid('M58 20L62 34L76 24L70 38H58Z', 'shade'),
      solid(circle(40, 22, 3) + circle(58, 18, 3) + circle(76, 22, 3), STRAW)
    ],
    icon: [
      solid(circle(12, 4.5, 3.8)),
      solid(circle(5, 14, 3.8), 'shade'),
      solid(circle(19, 14, 3.8), 'ink'),
      line('M5 21C9 24 15 24 19 21', 2.4, 'ink')
    ]
  },
  fisher: {
    person: [
      solid('M34 44L58 22L82 44Z', STRAW),
      solid('M58 22L82 44H58Z', '#c08e2b'),
      line('M76 96V30L84 26', 2.4, '#7b4a2a')
    ],
    icon: [
      soft('M2 12C6 5 14 5 18 12C14 19 6 19 2 12Z', 1),
      soft('M17 12L22.5 6.5V17.5Z', 1),
      solid(circle(7, 11, 1.6), 'paper')
    ]
  },
  turncoat: {
    person: [
      solid('M34 96L40 76L52 69L58 76V96Z', 'suit'),
      solid('M58 76L64 69L76 76L82 96H58Z', STRAW),
      solid('M44 48V36L50 31H58V42H48Z', 'ink'),
      solid('M72 48V36L66 31H58V42H68Z', '#c9c2b4')
    ],
    icon: [soft('M11 3L4 6L2 12L5.5 13V21.5H11Z', 1.2), soft('M13.5 3L20.5 6L22.5 12L19 13V21.5H13.5Z', 1.2, 'ink')]
  },
  pathfinder: {
    person: [
      LONG_HAIR,
      solid('M42 40L46 28L70 32L74 40Z', '#3d6b3a'),
      solid('M36 42L42 38H74L80 42Z', '#2c4f2a'),
      solid('M66 32L80 18L76 34Z', 'suit')
    ],
    icon: [line(circle(12, 12, 9.5), 2.6), solid('M16.5 7.5L13.5 13.5L7.5 16.5L10.5 10.5Z', 'ink')]
  },
  sleeper: {
    person: [
      solid('M44 44L48 30H66L86 46L84 52L70 40L72 44Z', '#5d6fa8'),
      solid(circle(84, 51, 4), '#ffffff'),
      solid('M42 41H74V46H42Z', '#ffffff'),
      solid('M50 48H56V53H50ZM60 48H66V53H60Z', SKIN),
      line('M51 51H55.5M60.5 51H65', 2, 'ink')
    ],
    icon: [solid('M10 2A10 10 0 1 0 21 14.5A8.5 8.5 0 0 1 10 2Z'), line('M15.5 2.5H21.5L15.5 9H21.5', 2.2, 'ink')]
  },
  watchman: {
    person: [
      solid('M43 42V34L58 26L73 34V42Z', '#59616f'),
      solid('M58 26L73 34V42H58Z', '#434a56'),
      solid('M40 42H76V45H40Z', '#2f343d'),
      line('M78 96V60', 2.4, '#7b4a2a'),
      solid('M72 46H84V60H72Z', STRAW),
      line('M72 46H84V60H72Z', 1.6, 'ink')
    ],
    icon: [
      soft('M1.5 12C6 4.5 18 4.5 22.5 12C18 19.5 6 19.5 1.5 12Z', 1),
      solid(circle(12, 12, 5), 'paper'),
      solid(circle(12, 12, 2.6), 'ink')
    ]
  }
};

/** A string of beads that hangs from one side to the other. */
function beads(x: number, y: number, across: number, count: number): Shape[] {
  const places = Array.from({ length: count }, (_, bead) => {
    const hanging = 6 * Math.sin((Math.PI * bead) / (count - 1));
    return circle(x + bead * across, round(y + hanging), 2.6);
  });
  return [solid(places.join(''), 'shade')];
}

function ring(x: number, y: number, radius: number, count: number): Shape[] {
  const places = Array.from({ length: count }, (_, bead) => {
    const angle = (2 * Math.PI * bead) / count;
    return circle(round(x + radius * Math.sin(angle)), round(y - radius * Math.cos(angle)), 2.5);
  });
  return [solid(places.join(''))];
}
