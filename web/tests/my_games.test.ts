import { expect, test } from 'vitest';
import { noticed, read, type Kept } from '../src/lib/my_games.svelte';
import type { Phase, TableState } from '../src/lib/protocol';

const NOTHING: Kept = { running: [], finished: [] };

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

test('a table where one sits is remembered with its invitation and the others', () => {
  const { running } = noticed(NOTHING, table('open'), 'A', [], 7);
  expect(running).toEqual([{ table: 'k7mwx3qp2', invite: 'secret', game: 'kirifu', others: ['Ben'], isPlaying: false, at: 7 }]);
});

test('it stands there once, the latest first', () => {
  let kept = noticed(NOTHING, table('open'), 'A', [], 1);
  kept = noticed(kept, table('open', 'other2345'), 'A', [], 2);
  kept = noticed(kept, table('playing'), 'A', [], 3);
  expect(kept.running.map((one) => one.table)).toEqual(['k7mwx3qp2', 'other2345']);
  expect(kept.running[0]?.isPlaying).toBe(true);
});

test('a finished game is remembered once, and as won as soon as that is seen', () => {
  let kept = noticed(NOTHING, table('playing'), 'A', [], 1);
  kept = noticed(kept, table('over'), 'A', [], 2);
  kept = noticed(kept, table('over'), 'A', ['A'], 3);
  kept = noticed(kept, table('over'), 'A', [], 4);
  expect(kept.running).toEqual([]);
  expect(kept.finished).toEqual([{ table: 'k7mwx3qp2', number: 1, game: 'kirifu', others: ['Ben'], hasWon: true, at: 2 }]);
});

test('another game at the same table runs again, and is finished on its own', () => {
  let kept = noticed(NOTHING, table('over'), 'A', [], 1);
  kept = noticed(kept, table('open', 'k7mwx3qp2', 2), 'A', [], 2);
  expect(kept.running).toHaveLength(1);
  kept = noticed(kept, table('over', 'k7mwx3qp2', 2), 'A', [], 3);
  expect(kept.finished.map((one) => one.number)).toEqual([2, 1]);
});

test('a closed table is forgotten', () => {
  const kept = noticed(noticed(NOTHING, table('playing'), 'A', [], 1), table('closed'), 'A', [], 2);
  expect(kept).toEqual(NOTHING);
});

test('no more are kept than anybody looks at', () => {
  let kept = NOTHING;
  for (let number = 1; number <= 40; number++) kept = noticed(kept, table('over', 'k7mwx3qp2', number), 'A', [], number);
  expect(kept.finished).toHaveLength(12);
  expect(kept.finished[0]?.number).toBe(40);
});

test('what cannot be read is left out', () => {
  const good = { table: 'k7mwx3qp2', invite: '', game: 'kirifu', others: [], isPlaying: true, at: 1 };
  expect(read(null)).toEqual(NOTHING);
  expect(read('{')).toEqual(NOTHING);
  expect(read('null')).toEqual(NOTHING);
  expect(read('{"running": 3, "finished": [null, 1, {}]}')).toEqual(NOTHING);
  expect(read(JSON.stringify({ running: [good, { table: 1 }] }))).toEqual({ running: [good], finished: [] });
});
