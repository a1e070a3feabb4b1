/** Digests of what a table has shown; see docs/fair.md. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Note } from './view';

/** The digest of an empty history. */
export const NO_NOTES = '0'.repeat(64);

/** JSON that is the same text in every program: no spaces, and sorted keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)); // JSON.stringify would put "9" before "10"
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`).join(',')}}`;
}

/** The digests of a history: one after each of its notes. */
export class HistoryDigests {
  private digests = [hexToBytes(NO_NOTES)];

  /** How many notes the history has. */
  get count(): number {
    return this.digests.length - 1;
  }

  /** Continues the history after its first notes. */
  replaceFrom(first: number, notes: Note[]): void {
    this.digests = this.digests.slice(0, first + 1);
    for (const note of notes) this.digests.push(sha256(concatBytes(this.digests.at(-1) ?? new Uint8Array(), utf8ToBytes(canonicalJson(note)))));
  }

  /** The digest after so many notes; empty if there are fewer. */
  after(count: number): string {
    const digest = this.digests[count];
    return digest ? bytesToHex(digest) : '';
  }
}
