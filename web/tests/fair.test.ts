import { describe, expect, it } from 'vitest';
import { newSeen, type Seen } from '../src/lib/commitments';
import { chainOf, checkRecord, commitmentOf, keyOf, randomBelow, randomWords, shuffle, verdictOf, type Fair, type Finding, type GameRecord } from '../src/lib/fair';
import frantic from './frantic_record.json';
import chained from './frantic_with_chain.json';

/** The test vector of docs/fair.md. */
const FAIR: Fair = {
  table: 'oak-7',
  number: 1,
  commitment: 'b2f4cf40a4b9bd12ff7d2689fcbd4c1470ec35054e376feb295d3a848ff0cc7c',
  secret: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  bytes: { A: '11111111111111111111111111111111', C: '33333333333333333333333333333333' },
};
const KEY = '017a16d26f55f53853d75ca80a666f99fcdad9dfcf1443f431ddcd1c29b05ee5';
const FIRST_WORDS = [4039746475, 2613060493, 1374980025, 981491172, 1563173700, 265609445, 2341785621, 2181632658, 325695902, 2644824548];
const SHUFFLE = [
  'red 8', 'yellow 6', 'blue 7', 'blue 1', 'red 4', 'blue 4', 'green 6', 'blue 2', 'yellow 4', 'green 5',
  'red 2', 'green 1', 'green 8', 'yellow 3', 'yellow 7', 'red 7', 'green 4', 'red 6', 'red 5', 'blue 5',
  'yellow 8', 'yellow 1', 'yellow 5', 'yellow 2', 'blue 8', 'blue 6', 'green 3', 'green 2', 'red 1', 'blue 3',
  'red 3', 'green 7',
];
const ORDER = ['red', 'blue', 'yellow', 'green'].flatMap((suit) => Array.from({ length: 9 }, (_, at) => `${suit} ${at + 1}`));
const PLACES = new Map(ORDER.map((card, at) => [card, at]));
const MOVES = ['red 8', 'yellow 6'];
/** The hash chain after the deal and after each move, computed by Python's hmac. */
const CHAIN = [
  'c788b636e8eb408ffeb71f096ab8919922993b304c2bd50c22fcaecc62b7871d',
  'fb3d559302f5251a3ef06634508973084dad94379ff0fd1709b2f2d0c6e0d93d',
  'a52309073a00adc0101c481db0a8737b4e769b30ff32ce7792e91bcd96a63594',
];
const RECORD: GameRecord = {
  game: 'shinigami_preschool',
  rules: '1',
  players: 3,
  options: { rounds: 1 },
  chance: ['B', SHUFFLE],
  moves: MOVES,
  result: { moves: 2, over: true },
  fair: { ...FAIR, chain: CHAIN[2], lots: [['A', 'B', 'C']] },
};
const OLD: GameRecord = { ...RECORD, fair: FAIR };
const SEEN: Seen = { ...newSeen('oak-7', 1, FAIR.commitment), seat: 'A', bytes: '1'.repeat(32), accepted: true, moves: 1, chain: CHAIN[1] ?? '' };

function digits(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The record, with some parts of what it says about its deal replaced. */
function withFair(parts: Partial<Fair>, record = RECORD): GameRecord {
  return { ...record, fair: { ...(record.fair ?? FAIR), ...parts } };
}

/** The record as somebody would forge it who knows the secret: other moves, with the chain that they have. */
function forged(record: GameRecord, moves: string[]): GameRecord {
  const other = { ...record, moves, result: { ...record.result, moves: moves.length } };
  return withFair({ chain: chainOf(other, keyOf(record.fair ?? FAIR)).at(-1) }, other);
}

/** What the check finds on one subject, and how it judges the whole record. */
function found(record: GameRecord, what: Finding['what'], seen: Seen | null = SEEN): string {
  const all = checkRecord(record, ORDER, seen);
  return `${all.find((finding) => finding.what === what)?.kind ?? 'nothing'}, ${verdictOf(all)}`;
}

describe('the test vector of the documentation', () => {
  it('gives the commitment and the key', () => {
    expect(commitmentOf(FAIR)).toBe(FAIR.commitment);
    expect(digits(keyOf(FAIR))).toBe(KEY);
  });

  it('gives the random words of an outcome, from more than one block', () => {
    const words = randomWords(keyOf(FAIR), 0);
    expect(FIRST_WORDS.map(() => words.next().value)).toEqual(FIRST_WORDS);
  });

  it('gives the first leader and the shuffle', () => {
    expect('ABC'.charAt(randomBelow(randomWords(keyOf(FAIR), 0), 3))).toBe('B');
    expect(shuffle(keyOf(FAIR), 1, [...SHUFFLE].sort(), PLACES)).toEqual(SHUFFLE);
  });

  it('skips words that would make some numbers more likely', () => {
    const words = (function* (): Generator<number, never> {
      yield 2 ** 32 - 1;
      for (;;) yield 7;
    })();
    expect(randomBelow(words, 3)).toBe(1);
  });
});

describe('a fair game', () => {
  it('is proven to a device that gave bytes and saw the moves', () => {
    const all = checkRecord(RECORD, ORDER, SEEN, { table: 'oak-7', number: 1 });
    expect(verdictOf(all)).toBe('proven');
    expect(all).toEqual([
      { what: 'secret', kind: 'right' },
      { what: 'promise', kind: 'right' },
      { what: 'bytes', kind: 'right', which: ['A'] },
      { what: 'givers', kind: 'note', which: ['A', 'C'] },
      { what: 'shuffles', kind: 'right', count: 1, which: [] },
      { what: 'lots', kind: 'right', count: 1, which: [] },
      { what: 'chain', kind: 'right', count: 2 },
      { what: 'moves', kind: 'right', count: 1, of: 2 },
      { what: 'rules', kind: 'note' },
    ]);
  });

  it('is proven with bytes at another seat: seats may have been swapped', () => {
    expect(found(RECORD, 'bytes', { ...SEEN, seat: 'B' })).toBe('right, proven');
  });

  it('is proven if it was closed early, to a device that was told so', () => {
    const closed = { ...RECORD, result: { moves: 2, over: false } };
    expect(found(closed, 'closed', { ...SEEN, moves: 2, chain: CHAIN[2] ?? '', closed: true })).toBe('note, proven');
  });

  it('is proven over a whole game with duplicate cards and many lots', () => {
    const record = chained.record as GameRecord;
    const seen: Seen = { ...SEEN, number: 10, commitment: record.fair?.commitment ?? '', moves: chained.half.moves, chain: chained.half.chain };
    const all = checkRecord(record, chained.cards, seen, { table: 'oak-7', number: 10 });
    expect(all).toContainEqual({ what: 'lots', kind: 'right', count: 20, which: [] });
    expect(all).toContainEqual({ what: 'moves', kind: 'right', count: 233, of: 467 });
    expect(verdictOf(all)).toBe('proven');
  });
});

describe('the hash chain', () => {
  it('is the one that Python computes', () => {
    expect(chainOf(RECORD, keyOf(FAIR))).toEqual(CHAIN);
  });

  it('depends on the game, its rules, the players, the options and all moves', () => {
    const others: Partial<GameRecord>[] = [{ game: 'kirifu' }, { rules: '2' }, { players: 4 }, { options: { rounds: 2 } }, { moves: ['red 7', 'yellow 6'] }];
    const ends = others.map((parts) => chainOf({ ...RECORD, ...parts }, keyOf(FAIR)).at(-1));
    expect(new Set([...ends, CHAIN[2]]).size).toBe(others.length + 1);
  });
});

describe('not proven', () => {
  it('is a deal to which nobody gave bytes', () => {
    const fair = { ...FAIR, bytes: {}, lots: [['A', 'B', 'C']] };
    const key = keyOf(fair);
    const chance = ['ABC'.charAt(randomBelow(randomWords(key, 0), 3)), shuffle(key, 1, SHUFFLE, PLACES)];
    const record = forged({ ...RECORD, chance, fair }, MOVES);
    expect(found(record, 'givers', { ...SEEN, bytes: '', chain: chainOf(record, key)[1] ?? '' })).toBe('unproven, not proven');
  });

  it('is a deal without the bytes of this device, if they were refused or it left before', () => {
    const missing = { ...SEEN, bytes: '2'.repeat(32) };
    expect(found(RECORD, 'bytes', { ...missing, accepted: false })).toBe('unproven, not proven');
    expect(found(RECORD, 'bytes', { ...missing, chain: '', moves: 0 })).toBe('unproven, not proven');
    expect(found(RECORD, 'bytes', { ...missing, seat: null })).toBe('unproven, not proven');
    expect(found(RECORD, 'own bytes', { ...SEEN, bytes: '' })).toBe('unproven, not proven');
  });

  it('is a game that this device did not see', () => {
    expect(found(RECORD, 'promise', null)).toBe('unproven, not proven');
    expect(found(RECORD, 'moves', { ...SEEN, chain: '', moves: 0 })).toBe('unproven, not proven');
  });

  it('is a record without chain or candidates, as older versions made them', () => {
    const before = { ...SEEN, chain: '', moves: 0 };
    expect(found(OLD, 'chain', before)).toBe('unproven, not proven');
    expect(found(OLD, 'lots', before)).toBe('unproven, not proven');
    expect(found(OLD, 'moves', before)).toBe('nothing, not proven');
  });

  it('is a record without a result', () => {
    expect(found({ ...RECORD, result: undefined }, 'result')).toBe('unproven, not proven');
  });

  it('is a game that is not over, unless this device was told that the table was closed', () => {
    const cut = { ...RECORD, result: { moves: 2, over: false } };
    expect(found(cut, 'over')).toBe('unproven, not proven');
    expect(found(cut, 'over', null)).toBe('unproven, not proven');
  });

  it('is an old record of a whole game, but its shuffles are recomputed', () => {
    const record = frantic.record as GameRecord;
    const all = checkRecord(record, frantic.cards, null);
    const shuffles = record.chance.filter((outcome) => Array.isArray(outcome)).length;
    expect(shuffles).toBeGreaterThan(2);
    expect(all).toContainEqual({ what: 'shuffles', kind: 'right', count: shuffles, which: [] });
    expect(all).toContainEqual({ what: 'lots', kind: 'unproven', count: record.chance.length - shuffles, which: [] });
    expect(verdictOf(all)).toBe('not proven');
  });
});

describe('wrong', () => {
  it('is another secret or commitment than before the deal', () => {
    const other = withFair({ secret: FAIR.secret.replace('00', '01') });
    expect(found(other, 'secret')).toBe('wrong, wrong');
    expect(found(other, 'shuffles')).toBe('wrong, wrong');
    const later = { ...FAIR, secret: FAIR.secret.replace('00', '01') };
    expect(found(withFair({ ...later, commitment: commitmentOf(later) }), 'promise')).toBe('wrong, wrong');
  });

  it('is a deal without bytes that were accepted', () => {
    const without = withFair({ bytes: { C: '3'.repeat(32) } });
    expect(found(without, 'bytes')).toBe('wrong, wrong');
    expect(found(RECORD, 'bytes', { ...SEEN, bytes: '2'.repeat(32) })).toBe('wrong, wrong');
  });

  it('is a deal with other bytes, or with the bytes of two seats exchanged', () => {
    expect(found(withFair({ bytes: { A: '1'.repeat(32), C: '4'.repeat(32) } }), 'shuffles')).toBe('wrong, wrong');
    expect(found(withFair({ bytes: { A: '3'.repeat(32), C: '1'.repeat(32) } }), 'shuffles')).toBe('wrong, wrong');
  });

  it('is a stacked shuffle, or one with cards that do not exist', () => {
    const stacked = [...SHUFFLE];
    [stacked[0], stacked[1]] = [stacked[1] ?? '', stacked[0] ?? ''];
    expect(checkRecord({ ...RECORD, chance: ['B', stacked] }, ORDER, SEEN)).toContainEqual({ what: 'shuffles', kind: 'wrong', count: 1, which: [2] });
    expect(found({ ...RECORD, chance: ['B', ['joker', ...SHUFFLE]] }, 'shuffles')).toBe('wrong, wrong');
  });

  it('is another lot than the one drawn', () => {
    expect(found({ ...RECORD, chance: ['A', SHUFFLE] }, 'lots')).toBe('wrong, wrong');
    expect(found({ ...OLD, chance: ['D', SHUFFLE] }, 'lots', null)).toBe('wrong, wrong');
  });

  it.each([
    { lots: [['B', 'C']], problem: 'other names' },
    { lots: [['B', 'A', 'C']], problem: 'another order' },
    { lots: [['A', 'B', 'B']], problem: 'a seat twice' },
    { lots: [['A', 'B', 'D']], problem: 'a seat that is not in the game' },
    { lots: [['B']], problem: 'a single candidate' },
    { lots: [['A', 'B', 'red 3']], problem: 'seats and cards' },
    { lots: [], problem: 'too few lots' },
    { lots: [['A', 'B', 'C'], ['A', 'B']], problem: 'too many lots' },
  ])('are candidates with $problem', ({ lots }) => {
    expect(found(withFair({ lots }), 'lots')).toBe('wrong, wrong');
  });

  it('is not found if other candidates give the same lot: only the rules know them', () => {
    expect(found(withFair({ lots: [['A', 'B']] }), 'lots')).toBe('right, proven');
  });

  it('is a chain that does not match the moves, or was removed', () => {
    expect(found({ ...RECORD, moves: ['red 8', 'yellow 4'] }, 'chain')).toBe('wrong, wrong');
    expect(found(withFair({ chain: CHAIN[1] }), 'chain')).toBe('wrong, wrong');
    expect(found(OLD, 'chain')).toBe('wrong, wrong');
  });

  it('are other moves than this device saw, even with the chain of these moves', () => {
    const replaced = forged(RECORD, ['blue 7', 'yellow 6']);
    expect(found(replaced, 'chain')).toBe('right, wrong');
    expect(found(replaced, 'moves')).toBe('wrong, wrong');
  });

  it('is half a game that was replaced', () => {
    const record = chained.record as GameRecord;
    const half = record.moves.length - 1 - chained.half.moves;
    const seen: Seen = { ...SEEN, number: 10, commitment: record.fair?.commitment ?? '', moves: 467, chain: record.fair?.chain ?? '' };
    const replaced = forged(record, [...record.moves.slice(0, half), ...record.moves.slice(half).reverse()]);
    expect(checkRecord(replaced, chained.cards, seen)).toContainEqual({ what: 'moves', kind: 'wrong', count: 467, of: 467 });
  });

  it('is a record with fewer moves than this device saw', () => {
    const cut = { ...forged(RECORD, ['red 8']), result: { moves: 1, over: false } };
    const seen: Seen = { ...SEEN, moves: 2, chain: CHAIN[2] ?? '', closed: true };
    expect(checkRecord(cut, ORDER, seen)).toContainEqual({ what: 'cut', kind: 'wrong', count: 2, of: 1 });
    expect(found(cut, 'cut', seen)).toBe('wrong, wrong');
  });

  it('is a record with more moves than this device saw until the table was closed', () => {
    expect(found({ ...RECORD, result: { moves: 2, over: false } }, 'added', { ...SEEN, closed: true })).toBe('wrong, wrong');
  });

  it('is the result of another number of moves', () => {
    expect(found({ ...RECORD, result: { moves: 3, over: true } }, 'result')).toBe('wrong, wrong');
  });

  it('is the record of another game', () => {
    expect(verdictOf(checkRecord(RECORD, ORDER, null, { table: 'oak-7', number: 2 }))).toBe('wrong');
    expect(verdictOf(checkRecord(RECORD, ORDER, null, { table: 'elm-7', number: 1 }))).toBe('wrong');
  });

  it('is a record with missing or malformed parts', () => {
    expect(found({ ...RECORD, fair: undefined }, 'secret', null)).toBe('wrong, wrong');
    expect(found(withFair({ secret: 'xyz' }), 'record', null)).toBe('wrong, wrong');
    expect(found(withFair({ bytes: { A: '11' } }), 'record', null)).toBe('wrong, wrong');
    expect(found({ ...RECORD, moves: undefined as unknown as string[] }, 'record')).toBe('wrong, wrong');
    expect(found({ ...RECORD, chance: [['red 1'], 7 as unknown as string] }, 'lots')).toBe('wrong, wrong');
  });
});
