import { expect, test } from 'vitest';
import { withTable, parse, type SavedGames } from '../src/lib/my_games.svelte';
import type { Phase, TableState } from '../src/lib/protocol';

const NOTHING: SavedGames = { running: [], finished: [] };

function table(phase: Phase, id = 'k7mwx3qp2', number = 1): TableState {
  return {
    id,
    game: 'kirifu',
    options: {},
    chairs: [
      { seat: 'A', kind: 'person', name: 'Anna', host: true },
      { seat: 'B', kind: 'bot', name: 'Ben', bot: 'thumb' },
      { seat: 'C', kind: 'closed' },
      { seat: 'D', kind: 'open' },
    ],
    phase,
    number,
    public: false,
    pace: 'normal',
    chat: true,
    fair: { number, commitment: '' },
    invite: 'secret',
  };
}

test('a table with a seat is saved with its invitation and the other players', () => {
  const { running } = withTable(NOTHING, table('open'), 'A', [], 7);
  expect(running).toEqual([{ table: 'k7mwx3qp2', invite: 'secret', game: 'kirifu', others: ['Ben'], isPlaying: false, at: 7 }]);
});

test('each table is listed once, the latest first', () => {
  let saved = withTable(NOTHING, table('open'), 'A', [], 1);
  saved = withTable(saved, table('open', 'other2345'), 'A', [], 2);
  saved = withTable(saved, table('playing'), 'A', [], 3);
  expect(saved.running.map((one) => one.table)).toEqual(['k7mwx3qp2', 'other2345']);
  expect(saved.running[0]?.isPlaying).toBe(true);
});

test('a finished game is saved once, and stays won', () => {
  let saved = withTable(NOTHING, table('playing'), 'A', [], 1);
  saved = withTable(saved, table('over'), 'A', [], 2);
  saved = withTable(saved, table('over'), 'A', ['A'], 3);
  saved = withTable(saved, table('over'), 'A', [], 4);
  expect(saved.running).toEqual([]);
  expect(saved.finished).toEqual([{ table: 'k7mwx3qp2', number: 1, game: 'kirifu', others: ['Ben'], hasWon: true, at: 2 }]);
});

test('the next game at the same table is listed on its own', () => {
  let saved = withTable(NOTHING, table('over'), 'A', [], 1);
  saved = withTable(saved, table('open', 'k7mwx3qp2', 2), 'A', [], 2);
  expect(saved.running).toHaveLength(1);
  saved = withTable(saved, table('over', 'k7mwx3qp2', 2), 'A', [], 3);
  expect(saved.finished.map((one) => one.number)).toEqual([2, 1]);
});

test('a closed table is removed', () => {
  const saved = withTable(withTable(NOTHING, table('playing'), 'A', [], 1), table('closed'), 'A', [], 2);
  expect(saved).toEqual(NOTHING);
});

test('only the latest twelve are saved', () => {
  let saved = NOTHING;
  for (let number = 1; number <= 40; number++) saved = withTable(saved, table('over', 'k7mwx3qp2', number), 'A', [], number);
  expect(saved.finished).toHaveLength(12);
  expect(saved.finished[0]?.number).toBe(40);
});

test('invalid entries are left out', () => {
  const good = { table: 'k7mwx3qp2', invite: '', game: 'kirifu', others: [], isPlaying: true, at: 1 };
  expect(parse(null)).toEqual(NOTHING);
  expect(parse('{')).toEqual(NOTHING);
  expect(parse('null')).toEqual(NOTHING);
  expect(parse('{"running": 3, "finished": [null, 1, {}]}')).toEqual(NOTHING);
  expect(parse(JSON.stringify({ running: [good, { table: 1 }] }))).toEqual({ running: [good], finished: [] });
});
