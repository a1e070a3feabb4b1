import { describe, expect, it } from 'vitest';
import { below, check, commitmentOf, isFair, keyOf, shuffled, wordsOf, type Fair, type GameRecord } from '../src/lib/fair';
import frantic from './frantic_record.json';

/** The vector of docs/fair.md. */
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
const PROMISED = { commitment: FAIR.commitment, seat: 'A', bytes: '11111111111111111111111111111111' };

function digits(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** What was found about one thing. */
function found(record: GameRecord, what: string, cards = ORDER, promised: typeof PROMISED | null = PROMISED): boolean | null | undefined {
  return check(record, cards, promised).find((finding) => finding.what === what)?.good;
}

describe('the vector of the documents', () => {
  it('gives the commitment and the key', () => {
    expect(commitmentOf(FAIR)).toBe(FAIR.commitment);
    expect(digits(keyOf(FAIR))).toBe(KEY);
  });

  it('gives the words of an outcome, from more than one block', () => {
    const words = wordsOf(keyOf(FAIR), 0);
    expect(FIRST_WORDS.map(() => words.next().value)).toEqual(FIRST_WORDS);
  });

  it('gives the lot for the first leader, and the shuffle', () => {
    expect('ABC'.charAt(below(wordsOf(keyOf(FAIR), 0), 3))).toBe('B');
    const order = new Map(ORDER.map((card, at) => [card, at]));
    expect(shuffled(keyOf(FAIR), 1, [...SHUFFLE].sort(), order)).toEqual(SHUFFLE);
  });

  it('passes over words that would make a number likelier than another', () => {
    const words = (function* (): Generator<number, never> {
      yield 2 ** 32 - 1;
      for (;;) yield 7;
    })();
    expect(below(words, 3)).toBe(1);
  });
});

describe('a check', () => {
  it('finds a fair game fair, and says what it cannot know', () => {
    const all = check(RECORD, ORDER, PROMISED, { table: 'oak-7', number: 1 });
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

  it('does not claim anything of a promise that was not seen', () => {
    expect(found(RECORD, 'promise', ORDER, null)).toBe(null);
    expect(found(RECORD, 'bytes', ORDER, null)).toBe(undefined);
  });

  it('knows bytes again wherever their seat has come to be, and says nothing of bytes that were not taken', () => {
    expect(found(RECORD, 'bytes', ORDER, { ...PROMISED, seat: 'B' })).toBe(true);
    expect(found(RECORD, 'bytes', ORDER, { ...PROMISED, bytes: '' })).toBe(undefined);
  });

  it('finds another secret, another promise and other bytes', () => {
    const other = { ...RECORD, fair: { ...FAIR, secret: FAIR.secret.replace('00', '01') } };
    expect(found(other, 'secret')).toBe(false);
    expect(found(other, 'shuffles')).toBe(false);
    const later = { ...FAIR, secret: FAIR.secret.replace('00', '01') };
    expect(found({ ...RECORD, fair: { ...later, commitment: commitmentOf(later) } }, 'promise')).toBe(false);
    expect(found(RECORD, 'bytes', ORDER, { ...PROMISED, bytes: '2'.repeat(32) })).toBe(false);
  });

  it('finds cards that were stacked, and outcomes that cannot be', () => {
    const stacked = [...SHUFFLE];
    [stacked[0], stacked[1]] = [stacked[1] ?? '', stacked[0] ?? ''];
    expect(check({ ...RECORD, chance: ['B', stacked] }, ORDER, PROMISED)).toContainEqual({ what: 'shuffles', good: false, count: 1, which: [2] });
    expect(found({ ...RECORD, chance: ['B', ['joker', ...SHUFFLE]] }, 'shuffles')).toBe(false);
    expect(found({ ...RECORD, chance: ['D', SHUFFLE] }, 'lots')).toBe(false);
  });

  it('finds that it was given another game', () => {
    expect(isFair(check(RECORD, ORDER, null, { table: 'oak-7', number: 2 }))).toBe(false);
  });

  it('believes no record without a secret, or with something that is none', () => {
    expect(isFair(check({ ...RECORD, fair: undefined }, ORDER, null))).toBe(false);
    expect(isFair(check({ ...RECORD, fair: { ...FAIR, secret: 'xyz' } }, ORDER, null))).toBe(false);
    expect(isFair(check({ ...RECORD, fair: { ...FAIR, bytes: { A: '11' } } }, ORDER, null))).toBe(false);
  });

  it('recomputes every shuffle of a whole game with several cards of a kind', () => {
    const record = frantic.record as GameRecord;
    const all = check(record, frantic.cards, null);
    const shuffles = record.chance.filter((outcome) => Array.isArray(outcome)).length;
    expect(shuffles).toBeGreaterThan(2);
    expect(all).toContainEqual({ what: 'shuffles', good: true, count: shuffles, which: [] });
    expect(all).toContainEqual({ what: 'lots', good: null, count: record.chance.length - shuffles });
    expect(isFair(all)).toBe(true);
  });
});
