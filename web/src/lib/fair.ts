/** Checks that the luck of a finished game came from what was promised before its deal; see docs/fair.md. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Promised } from './commitments';

/** What the luck of a game came from. */
export interface Fair {
  table: string;
  number: number;
  commitment: string;
  secret: string;
  bytes: Record<string, string>;
}

/** As much of a record as a check needs. */
export interface GameRecord {
  game: string;
  players: number;
  /** A shuffle is a list of cards, a lot a seat or a card. */
  chance: (string | string[])[];
  fair?: Fair;
}

/** Which game was asked for: a table could answer with another one. */
export interface Asked {
  table: string;
  number: number;
}

/** One thing that was looked at: it is right, wrong, or only to be known. */
export interface Finding {
  what: 'secret' | 'game' | 'promise' | 'bytes' | 'givers' | 'shuffles' | 'lots';
  good: boolean | null;
  /** How many, where it is about several. */
  count?: number;
  /** The seats or outcomes it is about. */
  which?: (string | number)[];
}

const WORDS = 2 ** 32;
const SECRET = 32;
const GIVEN = 16;
const SEATS = 'ABCDEFGH';

// What a table commits itself to -------------------------------------------------------------------

export function commitmentOf(fair: Fair): string {
  return bytesToHex(sha256(concatBytes(utf8ToBytes('fuda commitment 1\n'), unhex(fair.secret, SECRET), utf8ToBytes(nameOf(fair)))));
}

/** The key that decides everything: neither the table nor the players could choose it alone. */
export function keyOf(fair: Fair): Uint8Array {
  const given = Object.keys(fair.bytes)
    .sort()
    .flatMap((seat) => [utf8ToBytes(seat), unhex(fair.bytes[seat] ?? '', GIVEN)]);
  return sha256(concatBytes(utf8ToBytes('fuda deal 1\n'), unhex(fair.secret, SECRET), utf8ToBytes(`${nameOf(fair)}\n`), ...given));
}

function nameOf(fair: Fair): string {
  return `${fair.table}/${fair.number}`;
}

function unhex(digits: string, length: number): Uint8Array {
  const bytes = hexToBytes(digits);
  if (bytes.length !== length) throw new Error(`Expected ${length} bytes, got ${bytes.length}.`);
  return bytes;
}

// What a key decides -------------------------------------------------------------------------------

/** The random words of one outcome. */
export function* wordsOf(key: Uint8Array, outcome: number): Generator<number, never> {
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

/** 0 … n − 1, each equally likely: words beyond the last multiple of n are passed over. */
export function below(words: Generator<number, never>, n: number): number {
  const most = WORDS - (WORDS % n);
  for (;;) {
    const word = words.next().value;
    if (word < most) return word % n;
  }
}

/** The cards, whatever their order, as the outcome of this number leaves them. */
export function shuffled(key: Uint8Array, outcome: number, cards: string[], order: Map<string, number>): string[] {
  const mixed = [...cards].sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  const words = wordsOf(key, outcome);
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = below(words, last + 1);
    [mixed[last], mixed[other]] = [mixed[other] ?? '', mixed[last] ?? ''];
  }
  return mixed;
}

// The check ----------------------------------------------------------------------------------------

/** All that can be found out without the rules: who or what was in a lot only they know. */
export function check(record: GameRecord, cardsInOrder: string[], promised: Promised | null, asked?: Asked): Finding[] {
  const fair = record.fair;
  let key: Uint8Array;
  let commitment: string;
  if (!fair) return [{ what: 'secret', good: false }];
  try {
    key = keyOf(fair);
    commitment = commitmentOf(fair);
  } catch {
    return [{ what: 'secret', good: false }]; // what is no secret, or no bytes, proves nothing
  }
  const found: Finding[] = [{ what: 'secret', good: commitment === fair.commitment }];
  if (asked && (asked.table !== fair.table || asked.number !== fair.number)) found.push({ what: 'game', good: false });
  found.push({ what: 'promise', good: promised && promised.commitment === fair.commitment });
  if (promised?.bytes) found.push(checkedBytes(fair, promised));
  const givers = Object.keys(fair.bytes).sort();
  found.push({ what: 'givers', good: null, which: givers, count: givers.length });
  return [...found, ...checkedChance(record, key, cardsInOrder)];
}

/** Seats may have been swapped since the bytes were given: they have to be there, wherever. */
function checkedBytes(fair: Fair, promised: Promised): Finding {
  const seat = Object.keys(fair.bytes).find((one) => fair.bytes[one] === promised.bytes);
  return { what: 'bytes', good: seat !== undefined, which: [seat ?? promised.seat] };
}

function checkedChance(record: GameRecord, key: Uint8Array, cardsInOrder: string[]): Finding[] {
  const order = new Map(cardsInOrder.map((card, at) => [card, at]));
  const seats = [...SEATS.slice(0, record.players)];
  const wrong = { shuffles: [] as number[], lots: [] as number[] };
  let lots = 0;
  record.chance.forEach((outcome, at) => {
    if (Array.isArray(outcome)) {
      const isKnown = outcome.every((card) => order.has(card));
      if (!isKnown || shuffled(key, at, outcome, order).join('\n') !== outcome.join('\n')) wrong.shuffles.push(at + 1);
    } else {
      lots += 1;
      if (!seats.includes(outcome) && !order.has(outcome)) wrong.lots.push(at + 1);
    }
  });
  const shuffles = record.chance.length - lots;
  const found: Finding[] = [{ what: 'shuffles', good: wrong.shuffles.length === 0, count: shuffles, which: wrong.shuffles }];
  if (wrong.lots.length > 0) found.push({ what: 'lots', good: false, count: lots, which: wrong.lots });
  else if (lots > 0) found.push({ what: 'lots', good: null, count: lots });
  return found;
}

/** Whether nothing that was looked at is wrong. */
export function isFair(found: Finding[]): boolean {
  return found.every((finding) => finding.good !== false);
}
