import { expect, test } from 'vitest';
import { controlsOf, goingOn, isSeveral, moveOf, without, wordsIn } from '../src/lib/moves';
import type { Ask } from '../src/lib/protocol';
import { book } from './small_book';

function ask(moves: string[], words: string[] = []): Ask {
  return { since: 1, question: { kind: 'play' }, moves, words };
}

const SEATS = ['A', 'B', 'C'];

test('every word of a question has one control that fits it', () => {
  const controls = controlsOf(ask(['red 3', 'rude', 'B', 'wish red', 'wish 7', 'pass']), book('en'), ['red 3', 'red 4'], SEATS);
  expect(controls).toEqual({
    hand: ['red 3'],
    cards: ['rude'],
    seats: ['B'],
    suits: [{ word: 'red', move: 'wish red' }],
    numbers: [{ word: '7', move: 'wish 7' }],
    words: ['pass'],
    several: false,
  });
});

test('of several cards those stay bright that still lead to a move', () => {
  const several = ask(['red 3', 'red 3 + blue 3', 'red 3 + blue 3 + red 4', 'blue 4']);
  expect(isSeveral(several)).toBe(true);
  expect([...goingOn(several, [])].sort()).toEqual(['blue 3', 'blue 4', 'red 3', 'red 4']);
  expect([...goingOn(several, ['blue 3'])].sort()).toEqual(['red 3', 'red 4']);
  expect(moveOf(several, ['blue 3', 'red 3'])).toBe('red 3 + blue 3');
  expect(moveOf(several, ['blue 3'])).toBeUndefined();
});

test('a card that is held twice can be chosen twice', () => {
  expect(without(['red 3', 'red 3'], ['red 3'])).toEqual(['red 3']);
  expect(without(['red 3'], ['red 3', 'red 3'])).toBeUndefined();
});

test('where the moves are too many to list their words are known', () => {
  const many = ask([], ['red 3', 'blue 3']);
  expect(isSeveral(many)).toBe(true);
  expect(wordsIn(many)).toEqual(['red 3', 'blue 3']);
});
