import { expect, test } from 'vitest';
import { controlsOf, continuations, hasCompoundMoves, moveOf, without, wordsIn } from '../src/lib/moves';
import type { Ask } from '../src/lib/protocol';
import { book } from './small_book';

function ask(moves: string[], words: string[] = []): Ask {
  return { since: 1, question: { kind: 'play' }, moves, words };
}

const SEATS = ['A', 'B', 'C'];

test('every word of the legal moves has one control', () => {
  const controls = controlsOf(ask(['red 3', 'rude', 'B', 'wish red', 'wish 7', 'pass']), book('en'), ['red 3', 'red 4'], SEATS);
  expect(controls).toEqual({
    hand: ['red 3'],
    cards: ['rude'],
    seats: ['B'],
    suits: [{ word: 'red', move: 'wish red' }],
    numbers: [{ word: '7', move: 'wish 7' }],
    words: ['pass'],
    isCompound: false,
  });
});

test('the continuations are the words that still lead to a move', () => {
  const several = ask(['red 3', 'red 3 + blue 3', 'red 3 + blue 3 + red 4', 'blue 4']);
  expect(hasCompoundMoves(several)).toBe(true);
  expect([...continuations(several, [])].sort()).toEqual(['blue 3', 'blue 4', 'red 3', 'red 4']);
  expect([...continuations(several, ['blue 3'])].sort()).toEqual(['red 3', 'red 4']);
  expect(moveOf(several, ['blue 3', 'red 3'])).toBe('red 3 + blue 3');
  expect(moveOf(several, ['blue 3'])).toBeUndefined();
});

test('a card that is held twice can be selected twice', () => {
  expect(without(['red 3', 'red 3'], ['red 3'])).toEqual(['red 3']);
  expect(without(['red 3'], ['red 3', 'red 3'])).toBeUndefined();
});

test('where moves are not listed, their words are', () => {
  const many = ask([], ['red 3', 'blue 3']);
  expect(hasCompoundMoves(many)).toBe(true);
  expect(wordsIn(many)).toEqual(['red 3', 'blue 3']);
});
