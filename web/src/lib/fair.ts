/** Checks that the random outcomes of a finished game come from what was committed to before its deal; see docs/fair.md. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { SavedCommitment } from './commitments';

/** What the random outcomes of a game come from. */
export interface Fair {
  table: string;
  number: number;
  commitment: string;
  secret: string;
  bytes: Record<string, string>;
}

/** The part of a record that the check needs. */
export interface GameRecord {
  game: string;
  players: number;
  /** A shuffle is a list of cards; a draw by lot is a seat or a card. */
  chance: (string | string[])[];
  fair?: Fair;
}

/** Which game was requested: a server could answer with another one. */
interface GameRef {
  table: string;
  number: number;
}

/** One result of the check: right, wrong, or (null) information only. */
export interface Finding {
  what: 'secret' | 'game' | 'promise' | 'bytes' | 'givers' | 'shuffles' | 'lots';
  good: boolean | null;
  count?: number;
  /** The seats or outcomes it is about. */
  which?: (string | number)[];
}

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

// The check ----------------------------------------------------------------------------------------

/** Checks all that can be checked without the rules; only they know among whom or what a lot was drawn. */
export function checkRecord(record: GameRecord, cardsInOrder: string[], saved: SavedCommitment | null, expected?: GameRef): Finding[] {
  const fair = record.fair;
  let key: Uint8Array;
  let commitment: string;
  if (!fair) return [{ what: 'secret', good: false }];
  try {
    key = keyOf(fair);
    commitment = commitmentOf(fair);
  } catch {
    return [{ what: 'secret', good: false }]; // the secret or some bytes are malformed
  }
  const found: Finding[] = [{ what: 'secret', good: commitment === fair.commitment }];
  if (expected && (expected.table !== fair.table || expected.number !== fair.number)) found.push({ what: 'game', good: false });
  found.push({ what: 'promise', good: saved && saved.commitment === fair.commitment });
  if (saved?.bytes) found.push(checkBytes(fair, saved));
  const givers = Object.keys(fair.bytes).sort();
  found.push({ what: 'givers', good: null, which: givers, count: givers.length });
  return [...found, ...checkChance(record, key, cardsInOrder)];
}

/** Seats may have been swapped since the bytes were given: any seat may have them. */
function checkBytes(fair: Fair, saved: SavedCommitment): Finding {
  const seat = Object.keys(fair.bytes).find((one) => fair.bytes[one] === saved.bytes);
  return { what: 'bytes', good: seat !== undefined, which: [seat ?? saved.seat] };
}

function checkChance(record: GameRecord, key: Uint8Array, cardsInOrder: string[]): Finding[] {
  const order = new Map(cardsInOrder.map((card, at) => [card, at]));
  const seats = [...SEATS.slice(0, record.players)];
  const wrong = { shuffles: [] as number[], lots: [] as number[] };
  let lots = 0;
  record.chance.forEach((outcome, index) => {
    if (Array.isArray(outcome)) {
      const isKnown = outcome.every((card) => order.has(card));
      if (!isKnown || shuffle(key, index, outcome, order).join('\n') !== outcome.join('\n')) wrong.shuffles.push(index + 1);
    } else {
      lots += 1;
      if (!seats.includes(outcome) && !order.has(outcome)) wrong.lots.push(index + 1);
    }
  });
  const shuffles = record.chance.length - lots;
  const found: Finding[] = [{ what: 'shuffles', good: wrong.shuffles.length === 0, count: shuffles, which: wrong.shuffles }];
  if (wrong.lots.length > 0) found.push({ what: 'lots', good: false, count: lots, which: wrong.lots });
  else if (lots > 0) found.push({ what: 'lots', good: null, count: lots });
  return found;
}

/** Whether nothing is wrong. */
export function isFair(found: Finding[]): boolean {
  return found.every((finding) => finding.good !== false);
}
