import { expect, test } from 'vitest';
import { handLayout } from '../src/lib/layout';

test('no card of a hand is too small to tap', () => {
  for (const width of [312, 352, 632, 760, 972, 1600]) {
    for (let count = 1; count <= 60; count++) {
      const { cardWidth } = handLayout(count, width);
      expect(cardWidth).toBeGreaterThanOrEqual(44);
      expect(cardWidth).toBeLessThanOrEqual(Math.max(64, width / 6));
    }
  }
});

test('thirty cards need four rows on a phone', () => {
  const { cardWidth, gap, isCompact } = handLayout(30, 352);
  expect(isCompact).toBe(true);
  expect(Math.ceil(30 / Math.floor((352 + gap) / (cardWidth + gap)))).toBe(4);
});

test('a few cards are large', () => {
  expect(handLayout(3, 352).cardWidth).toBe(55);
  expect(handLayout(13, 972).cardWidth).toBeGreaterThan(60);
});
