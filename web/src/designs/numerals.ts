/** The strokes of ranks, in a box of 16 × 24: drawn, so that they look the same on every device. */

import { withMinusSign } from '../lib/wording';
import type { Pen } from './shapes';

interface Numeral {
  path: string;
  width: number;
}

const ROUND: Record<string, Numeral> = {
  '0': { width: 16, path: 'M8 0C13 0 16 5 16 12S13 24 8 24S0 19 0 12S3 0 8 0Z' },
  '1': { width: 9, path: 'M0 5.6L8 0V24' },
  '2': { width: 16, path: 'M.4 6.6C.6 2.6 4 0 8 0S15.5 2.8 15.5 6.8C15.5 10.2 13.6 12.6 11 15L.8 24H16' },
  '3': {
    width: 16,
    path: 'M.8 4.2C2.2 1.5 4.8 0 8 0C12 0 15 2.4 15 5.9S12 11.4 8 11.4H6M8 11.4C12.8 11.4 16 13.9 16 17.7S12.8 24 8 24C4.4 24 1.4 22.4 0 19.4'
  },
  '4': { width: 17, path: 'M12.4 24V0L0 17H17' },
  '5': {
    width: 16,
    path: 'M14.8 0H3L1.9 10.8C3.6 9.6 5.6 9 8 9C12.8 9 16 12 16 16.4S12.6 24 7.8 24C4.5 24 1.6 22.7 0 20'
  },
  '6': {
    width: 16,
    path: 'M11.5 0C5.5 3.6 0 9.4 0 16C0 20.6 3.4 24 8 24S16 20.6 16 16.2S12.6 8.6 8 8.6C4.6 8.6 1.7 10.6 .5 13.6'
  },
  '7': { width: 16, path: 'M0 0H16L6 24' },
  '8': {
    width: 16,
    path: 'M8 0C12 0 14.8 2.3 14.8 5.7S12 11.4 8 11.4S1.2 9.1 1.2 5.7S4 0 8 0ZM8 11.4C12.8 11.4 16 14 16 17.7S12.8 24 8 24S0 21.4 0 17.7S3.2 11.4 8 11.4Z'
  },
  '9': {
    width: 16,
    path: 'M4.5 24C10.5 20.4 16 14.6 16 8C16 3.4 12.6 0 8 0S0 3.4 0 7.8S3.4 15.4 8 15.4C11.4 15.4 14.3 13.4 15.5 10.4'
  },
  A: { width: 18, path: 'M0 24L9 0L18 24M3.4 16H14.6' },
  '−': { width: 11, path: 'M0 12.5H11' }
};

const CUT: Record<string, Numeral> = {
  '0': { width: 16, path: 'M4.5 0H11.5L16 6V18L11.5 24H4.5L0 18V6Z' },
  '1': { width: 9, path: 'M0 6.5L8 0V24' },
  '2': { width: 16, path: 'M0 6L4.5 0H11.5L16 5V9L1.4 24H16.5' },
  '3': { width: 16, path: 'M0 0H14.5L7.5 9.8H11L16 14.5V19L11.5 24H4L0 20' },
  '4': { width: 17, path: 'M12.4 24V0L0 17H17' },
  '5': { width: 16, path: 'M15 0H2.2V9.8H11.2L16 14.4V19.2L11.4 24H4L0 20' },
  '6': { width: 16, path: 'M12 0L0 13V19L4.5 24H11.5L16 19.4V14.4L11.5 10H3' },
  '7': { width: 16, path: 'M0 0H15.4L5.5 24' },
  '8': {
    width: 16,
    path: 'M4.4 0H11.6L14.8 3.4V8L11.6 11.4H4.4L1.2 8V3.4ZM4.4 11.4H11.6L16 15.6V19.8L11.6 24H4.4L0 19.8V15.6Z'
  },
  '9': { width: 16, path: 'M4 24L16 11V5L11.5 0H4.5L0 4.6V9.6L4.5 14H13' },
  A: { width: 18, path: 'M0 24L9 0L18 24M3.4 16.5H14.6' },
  '−': { width: 11, path: 'M0 12.5H11' }
};

/** Between two numerals. */
const GAP = 8.2;

interface Numerals {
  parts: { path: string; x: number; }[];
  width: number;
}

/** The strokes of a rank; undefined if it contains anything else than numerals. */
export function numeralsOf(rank: string, pen: Pen): Numerals | undefined {
  const forms = pen.form === 'cut' ? CUT : ROUND;
  const parts: Numerals['parts'] = [];
  let x = 0;
  for (const character of withMinusSign(rank)) {
    const numeral = forms[character];
    if (!numeral) return undefined;
    parts.push({ path: numeral.path, x });
    x += numeral.width + GAP;
  }
  return parts.length ? { parts, width: x - GAP } : undefined;
}
