import { expect, test } from 'vitest';
import { movements, placesIn } from '../src/lib/movements';
import { lastTrick, type View } from '../src/lib/view';
import { NOTE_ROLES } from './small_book';

const FIELDS = ['trick', 'hands', 'piles', 'deck'];

function view(parts: View): View {
  return {
    players: 3,
    you: 'A',
    trick: [],
    deck: { size: 10, cards: [] },
    hands: { A: ['red 3', 'red 4'], B: { size: 2, cards: [] }, C: { size: 2, cards: [] } },
    piles: { A: [], B: [], C: [] },
    ...parts,
  };
}

function moved(before: View, after: View): string[] {
  return movements(placesIn(before, FIELDS), placesIn(after, FIELDS)).map(({ from, to, card }) => `${from} > ${to}: ${card}`);
}

test('a played card moves from the hand to the trick', () => {
  const after = view({ trick: ['red 3'], hands: { A: ['red 4'], B: { size: 2, cards: [] }, C: { size: 2, cards: [] } } });
  expect(moved(view({}), after)).toEqual(['hands A > trick: red 3']);
});

test("another player's card comes from a hand of which only the size is known", () => {
  const after = view({ trick: ['blue 3'], hands: { A: ['red 3', 'red 4'], B: { size: 1, cards: [] }, C: { size: 2, cards: [] } } });
  expect(moved(view({}), after)).toEqual(['hands B > trick: blue 3']);
});

test('a trick moves to the pile of its winner', () => {
  const before = view({ trick: ['red 3', 'blue 3'] });
  const after = view({ piles: { A: [], B: ['red 3', 'blue 3'], C: [] } });
  expect(moved(before, after)).toEqual(['trick > piles B: red 3', 'trick > piles B: blue 3']);
});

test('cards are drawn from the deck and passed between hands', () => {
  const drawn = view({ deck: { size: 9, cards: [] }, hands: { A: ['red 3', 'red 4'], B: { size: 3, cards: [] }, C: { size: 2, cards: [] } } });
  expect(moved(view({}), drawn)).toEqual(['deck > hands B: null']);
  const passed = view({ hands: { A: ['red 4'], B: { size: 2, cards: [] }, C: { size: 3, cards: [] } } });
  expect(moved(view({}), passed)).toEqual(['hands A > hands C: red 3']);
});

test('nothing moves where nothing has changed', () => {
  expect(moved(view({}), view({}))).toEqual([]);
});

test('the last finished trick is read from the notes', () => {
  const history = [
    { kind: 'deal', seat: 'A' },
    { kind: 'play', seat: 'A', card: 'red 3' },
    { kind: 'play', seat: 'B', card: 'red 4' },
    { kind: 'break', seat: 'A', cards: ['blue 4'] },
    { kind: 'trick', seat: 'B', card: 'red 4' },
    { kind: 'play', seat: 'B', card: 'blue 3' },
  ];
  expect(lastTrick(history, NOTE_ROLES)).toEqual({
    plays: [
      { seat: 'A', card: 'red 3' },
      { seat: 'B', card: 'red 4' },
    ],
    winner: 'B',
    card: 'red 4',
  });
  expect(lastTrick(history.slice(0, 3), NOTE_ROLES)).toBeNull();
});
