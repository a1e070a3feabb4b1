import { describe, expect, it } from 'vitest';
import { checkRecord, commitmentOf, isFair, keyOf, randomBelow, randomWords, shuffle, type Fair, type GameRecord } from '../src/lib/fair';
import frantic from './frantic_record.json';

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
const RECORD: GameRecord = { game: 'shinigami_preschool', players: 3, chance: ['B', SHUFFLE], fair: FAIR };
const SAVED = { commitment: FAIR.commitment, seat: 'A', bytes: '11111111111111111111111111111111' };

function digits(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** One finding of the check. */
function found(record: GameRecord, what: string, cards = ORDER, saved: typeof SAVED | null = SAVED): boolean | null | undefined {
  return checkRecord(record, cards, saved).find((finding) => finding.what === what)?.good;
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
    const order = new Map(ORDER.map((card, at) => [card, at]));
    expect(shuffle(keyOf(FAIR), 1, [...SHUFFLE].sort(), order)).toEqual(SHUFFLE);
  });

  it('skips words that would make some numbers more likely', () => {
    const words = (function* (): Generator<number, never> {
      yield 2 ** 32 - 1;
      for (;;) yield 7;
    })();
    expect(randomBelow(words, 3)).toBe(1);
  });
});

describe('the check', () => {
  it('accepts a fair game, and says what it cannot check', () => {
    const all = checkRecord(RECORD, ORDER, SAVED, { table: 'oak-7', number: 1 });
    expect(isFair(all)).toBe(true);
    expect(all).toEqual([
      { what: 'secret', good: true },
      { what: 'promise', good: true },
      { what: 'bytes', good: true, which: ['A'] },
      { what: 'givers', good: null, which: ['A', 'C'], count: 2 },
      { what: 'shuffles', good: true, count: 1, which: [] },
      { what: 'lots', good: null, count: 1 },
    ]);
  });

  it('says nothing about a commitment that this device has not seen', () => {
    expect(found(RECORD, 'promise', ORDER, null)).toBe(null);
    expect(found(RECORD, 'bytes', ORDER, null)).toBe(undefined);
  });

  it('finds the bytes at any seat, and ignores bytes that were not taken', () => {
    expect(found(RECORD, 'bytes', ORDER, { ...SAVED, seat: 'B' })).toBe(true);
    expect(found(RECORD, 'bytes', ORDER, { ...SAVED, bytes: '' })).toBe(undefined);
  });

  it('rejects a different secret, commitment or bytes', () => {
    const other = { ...RECORD, fair: { ...FAIR, secret: FAIR.secret.replace('00', '01') } };
    expect(found(other, 'secret')).toBe(false);
    expect(found(other, 'shuffles')).toBe(false);
    const later = { ...FAIR, secret: FAIR.secret.replace('00', '01') };
    expect(found({ ...RECORD, fair: { ...later, commitment: commitmentOf(later) } }, 'promise')).toBe(false);
    expect(found(RECORD, 'bytes', ORDER, { ...SAVED, bytes: '2'.repeat(32) })).toBe(false);
  });

  it('rejects stacked cards and impossible outcomes', () => {
    const stacked = [...SHUFFLE];
    [stacked[0], stacked[1]] = [stacked[1] ?? '', stacked[0] ?? ''];
    expect(checkRecord({ ...RECORD, chance: ['B', stacked] }, ORDER, SAVED)).toContainEqual({ what: 'shuffles', good: false, count: 1, which: [2] });
    expect(found({ ...RECORD, chance: ['B', ['joker', ...SHUFFLE]] }, 'shuffles')).toBe(false);
    expect(found({ ...RECORD, chance: ['D', SHUFFLE] }, 'lots')).toBe(false);
  });

  it('rejects the record of another game', () => {
    expect(isFair(checkRecord(RECORD, ORDER, null, { table: 'oak-7', number: 2 }))).toBe(false);
  });

  it('rejects a record whose secret is missing or malformed', () => {
    expect(isFair(checkRecord({ ...RECORD, fair: undefined }, ORDER, null))).toBe(false);
    expect(isFair(checkRecord({ ...RECORD, fair: { ...FAIR, secret: 'xyz' } }, ORDER, null))).toBe(false);
    expect(isFair(checkRecord({ ...RECORD, fair: { ...FAIR, bytes: { A: '11' } } }, ORDER, null))).toBe(false);
  });

  it('recomputes every shuffle of a whole game with duplicate cards', () => {
    const record = frantic.record as GameRecord;
    const all = checkRecord(record, frantic.cards, null);
    const shuffles = record.chance.filter((outcome) => Array.isArray(outcome)).length;
    expect(shuffles).toBeGreaterThan(2);
    expect(all).toContainEqual({ what: 'shuffles', good: true, count: shuffles, which: [] });
    expect(all).toContainEqual({ what: 'lots', good: null, count: record.chance.length - shuffles });
    expect(isFair(all)).toBe(true);
  });
});
