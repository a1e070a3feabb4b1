/** Checks a record: its random outcomes against what was committed to before the deal, its moves against what this device saw; see docs/fair.md. */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Seen } from './commitments';
import { canonicalJson } from './digests';

/** What the random outcomes of a game come from. */
export interface Fair {
  table: string;
  number: number;
  commitment: string;
  secret: string;
  bytes: Record<string, string>;
  /** The hash chain after the last move; records of older servers have none. */
  chain?: string;
  /** The candidates of each draw by lot; records of older servers have none. */
  lots?: string[][];
}

/** The part of a record that the check needs. */
export interface GameRecord {
  game: string;
  rules: string;
  players: number;
  options?: Record<string, unknown>;
  /** A shuffle is a list of cards; a draw by lot is a seat or a card. */
  chance: (string | string[])[];
  moves: string[];
  result?: { moves?: number; over?: boolean };
  fair?: Fair;
}

/** Which game was requested: a server could answer with another one. */
interface GameRef {
  table: string;
  number: number;
}

/** One result of the check. What is not proven is not wrong either: this device cannot know. */
export interface Finding {
  what:
    | 'record'
    | 'secret'
    | 'game'
    | 'promise'
    | 'bytes'
    | 'own bytes'
    | 'givers'
    | 'shuffles'
    | 'lots'
    | 'chain'
    | 'moves'
    | 'cut'
    | 'added'
    | 'result'
    | 'over'
    | 'closed'
    | 'rules';
  kind: 'right' | 'wrong' | 'unproven' | 'note';
  count?: number;
  of?: number;
  /** The seats or outcomes it is about. */
  which?: (string | number)[];
}

export type Verdict = 'proven' | 'not proven' | 'wrong';

const WORD_COUNT = 2 ** 32;
const SECRET_BYTES = 32;
const PLAYER_BYTES = 16;
const SEATS = 'ABCDEFGH';

// The commitment and the key -----------------------------------------------------------------------

export function commitmentOf(fair: Fair): string {
  return bytesToHex(sha256(concatBytes(utf8ToBytes('fuda commitment 1\n'), unhex(fair.secret, SECRET_BYTES), utf8ToBytes(nameOf(fair)))));
}

/** The key from which all random outcomes follow: neither the server nor the players can choose it alone. */
export function keyOf(fair: Fair): Uint8Array {
  const playerBytes = Object.keys(fair.bytes)
    .sort()
    .flatMap((seat) => [utf8ToBytes(seat), unhex(fair.bytes[seat] ?? '', PLAYER_BYTES)]);
  return sha256(concatBytes(utf8ToBytes('fuda deal 1\n'), unhex(fair.secret, SECRET_BYTES), utf8ToBytes(`${nameOf(fair)}\n`), ...playerBytes));
}

function nameOf(fair: Fair): string {
  return `${fair.table}/${fair.number}`;
}

function unhex(digits: string, length: number): Uint8Array {
  const bytes = hexToBytes(digits);
  if (bytes.length !== length) throw new Error(`Expected ${length} bytes, got ${bytes.length}.`);
  return bytes;
}

// Outcomes of a key --------------------------------------------------------------------------------

/** The 32-bit random words of one outcome. */
export function* randomWords(key: Uint8Array, outcome: number): Generator<number, never> {
  for (let block = 0; ; block++) {
    const digest = sha256(concatBytes(key, fourBytes(outcome), fourBytes(block)));
    const words = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    for (let at = 0; at < digest.length; at += 4) yield words.getUint32(at);
  }
}

function fourBytes(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/** 0 … n − 1, each equally likely: words beyond the last multiple of n are skipped. */
export function randomBelow(words: Generator<number, never>, n: number): number {
  const most = WORD_COUNT - (WORD_COUNT % n);
  for (;;) {
    const word = words.next().value;
    if (word < most) return word % n;
  }
}

/** The cards as the outcome with this number shuffles them. */
export function shuffle(key: Uint8Array, outcome: number, cards: string[], order: Map<string, number>): string[] {
  const mixed = [...cards].sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  const words = randomWords(key, outcome);
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = randomBelow(words, last + 1);
    [mixed[last], mixed[other]] = [mixed[other] ?? '', mixed[last] ?? ''];
  }
  return mixed;
}

// The chain of moves -------------------------------------------------------------------------------

/** The hash chain: the first value is of the deal, and each move has one. */
export function chainOf(record: GameRecord, key: Uint8Array): string[] {
  const start = canonicalJson([record.game, record.rules, record.players, record.options ?? {}]);
  let last = hmac(sha256, key, utf8ToBytes(`fuda chain 1\n${start}`));
  const chain = [bytesToHex(last)];
  for (const move of record.moves) {
    last = hmac(sha256, key, concatBytes(last, utf8ToBytes(move)));
    chain.push(bytesToHex(last));
  }
  return chain;
}

// The check ----------------------------------------------------------------------------------------

/** Checks all that can be checked without the rules. `seen` is what this device saw of the game. */
export function checkRecord(record: GameRecord, cardsInOrder: string[], seen: Seen | null, expected?: GameRef): Finding[] {
  try {
    const fair = record.fair;
    if (!fair) return [{ what: 'secret', kind: 'wrong' }];
    const key = keyOf(fair);
    return [
      { what: 'secret', kind: commitmentOf(fair) === fair.commitment ? 'right' : 'wrong' },
      ...checkGame(fair, expected),
      ...checkPromise(fair, seen),
      ...checkShuffles(record, key, cardsInOrder),
      ...checkLots(record, fair, key, cardsInOrder),
      ...checkMoves(record, fair, chainOf(record, key), seen),
      ...checkEnd(record, seen),
      { what: 'rules', kind: 'note' },
    ];
  } catch {
    return [{ what: 'record', kind: 'wrong' }]; // something is missing or malformed
  }
}

export function verdictOf(found: Finding[]): Verdict {
  if (found.some((finding) => finding.kind === 'wrong')) return 'wrong';
  return found.some((finding) => finding.kind === 'unproven') ? 'not proven' : 'proven';
}

function checkGame(fair: Fair, expected: GameRef | undefined): Finding[] {
  const isOther = expected && (expected.table !== fair.table || expected.number !== fair.number);
  return isOther ? [{ what: 'game', kind: 'wrong' }] : [];
}

/** Whether the commitment is the one that was shown, and the bytes of this device and of others are in the deal. */
function checkPromise(fair: Fair, seen: Seen | null): Finding[] {
  const givers = Object.keys(fair.bytes).sort();
  return [
    { what: 'promise', kind: !seen ? 'unproven' : seen.commitment === fair.commitment ? 'right' : 'wrong' },
    ...(seen ? [checkBytes(fair, seen)] : []),
    { what: 'givers', kind: givers.length > 0 ? 'note' : 'unproven', which: givers },
  ];
}

/** Seats may have been swapped since the bytes were given: any seat may have them. */
function checkBytes(fair: Fair, seen: Seen): Finding {
  if (!seen.bytes) return { what: 'own bytes', kind: 'unproven' };
  const seat = Object.keys(fair.bytes).find((one) => fair.bytes[one] === seen.bytes);
  if (seat !== undefined) return { what: 'bytes', kind: 'right', which: [seat] };
  // The deal lacks the bytes of somebody who gave up the seat before it.
  const sawDeal = seen.seat !== null && seen.chain !== '';
  return { what: 'bytes', kind: seen.accepted && sawDeal ? 'wrong' : 'unproven' };
}

function checkShuffles(record: GameRecord, key: Uint8Array, cardsInOrder: string[]): Finding[] {
  const order = orderOf(cardsInOrder);
  const wrong: number[] = [];
  let count = 0;
  record.chance.forEach((outcome, index) => {
    if (!Array.isArray(outcome)) return;
    count += 1;
    const isKnown = outcome.every((card) => order.has(card));
    if (!isKnown || shuffle(key, index, outcome, order).join('\n') !== outcome.join('\n')) wrong.push(index + 1);
  });
  return [{ what: 'shuffles', kind: wrong.length === 0 ? 'right' : 'wrong', count, which: wrong }];
}

/** Whether each lot is the one that the key gives among the recorded candidates; only the rules know who or what these are. */
function checkLots(record: GameRecord, fair: Fair, key: Uint8Array, cardsInOrder: string[]): Finding[] {
  const seats = orderOf([...SEATS.slice(0, record.players)]);
  const cards = orderOf(cardsInOrder);
  const drawn = record.chance.flatMap((outcome, index) => (Array.isArray(outcome) ? [] : [{ outcome, index }]));
  const lots = fair.lots;
  const wrong = drawn.filter(({ outcome, index }, at) => {
    if (!lots) return !seats.has(outcome) && !cards.has(outcome);
    const candidates = lots[at] ?? [];
    const areValid = areInOrder(candidates, seats, 1) || areInOrder(candidates, cards, 0);
    return !areValid || outcome !== candidates[randomBelow(randomWords(key, index), candidates.length)];
  });
  const isWrong = wrong.length > 0 || (lots !== undefined && lots.length !== drawn.length);
  if (drawn.length === 0 && !isWrong) return [];
  return [{ what: 'lots', kind: isWrong ? 'wrong' : lots ? 'right' : 'unproven', count: drawn.length, which: wrong.map(({ index }) => index + 1) }];
}

function orderOf(all: string[]): Map<string, number> {
  return new Map(all.map((one, at) => [one, at]));
}

/** Whether these are at least two, all known, and in order. Seats are `apart` by one or more; a hand may have a card twice. */
function areInOrder(candidates: string[], order: Map<string, number>, apart: number): boolean {
  const places = candidates.map((one) => order.get(one) ?? NaN);
  return places.length > 1 && places.every((place, at) => place >= (at > 0 ? (places[at - 1] ?? NaN) + apart : 0));
}

/** Whether the moves are those of the chain, and those that this device saw. */
function checkMoves(record: GameRecord, fair: Fair, chain: string[], seen: Seen | null): Finding[] {
  const of = record.moves.length;
  const found: Finding[] = [];
  if (fair.chain) found.push({ what: 'chain', kind: chain.at(-1) === fair.chain ? 'right' : 'wrong', count: of });
  else found.push({ what: 'chain', kind: seen?.chain ? 'wrong' : 'unproven' });
  if (!seen) return found;
  if (!seen.chain) return fair.chain ? [...found, { what: 'moves', kind: 'unproven' }] : found;
  if (of < seen.moves) return [...found, { what: 'cut', kind: 'wrong', count: seen.moves, of }];
  if (of > seen.moves && seen.closed) found.push({ what: 'added', kind: 'wrong', count: seen.moves, of });
  return [...found, { what: 'moves', kind: chain[seen.moves] === seen.chain ? 'right' : 'wrong', count: seen.moves, of }];
}

/** Whether the game came to its end, or was closed before as far as this device knows. */
function checkEnd(record: GameRecord, seen: Seen | null): Finding[] {
  const result = record.result;
  if (!result) return [{ what: 'result', kind: 'unproven' }];
  if (result.moves !== undefined && result.moves !== record.moves.length) return [{ what: 'result', kind: 'wrong' }];
  if (result.over === true) return [];
  return seen?.closed ? [{ what: 'closed', kind: 'note' }] : [{ what: 'over', kind: 'unproven' }];
}
