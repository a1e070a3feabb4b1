import { expect, test } from 'vitest';
import { fanOf } from '../src/lib/layout';

test('no card of a hand is too small to tap, however many there are', () => {
  for (const width of [312, 352, 632, 760, 972, 1600]) {
    for (let count = 1; count <= 60; count++) {
      const { card } = fanOf(count, width);
      expect(card).toBeGreaterThanOrEqual(44);
      expect(card).toBeLessThanOrEqual(Math.max(64, width / 6));
    }
  }
});

test('thirty cards need four rows on a phone', () => {
  const { card, gap, close } = fanOf(30, 352);
  expect(close).toBe(true);
  expect(Math.ceil(30 / Math.floor((352 + gap) / (card + gap)))).toBe(4);
});

test('a few cards are shown large', () => {
  expect(fanOf(3, 352).card).toBe(55);
  expect(fanOf(13, 972).card).toBeGreaterThan(60);
});
