/** What this device saw of each game, saved so that the game's record can be checked against it; see docs/fair.md. */

import { NO_NOTES, type HistoryDigests } from './digests';
import type { GameNews, Seat } from './protocol';
import { loadText, saveJson } from './storage';

/** What a client was shown of a game: the file that `fuda verify --seen` reads. */
export interface Seen {
  'fuda seen': 1;
  table: string;
  number: number;
  seat: Seat | null;
  /** What the table committed itself to before the deal. */
  commitment: string;
  /** The random bytes that this device drew; empty if it gave none. */
  bytes: string;
  /** Whether the table acknowledged the bytes. */
  accepted: boolean;
  moves: number;
  /** The hash chain after these moves; empty if no move could be seen. */
  chain: string;
  notes: number;
  /** The digest of these notes. */
  shown: string;
  /** Whether the device was told that the table was closed. */
  closed: boolean;
}

const KEY = 'fuda-luck';
const MAX_SAVED = 50;

export function newSeen(table: string, number: number, commitment: string): Seen {
  return {
    'fuda seen': 1, table, number, seat: null, commitment, bytes: '', accepted: false, moves: 0, chain: '', notes: 0, shown: NO_NOTES, closed: false,
  };
}

/** What was seen after later news. If the news contradict what was shown before, that is kept: the check of the record then fails. */
export function withNews(seen: Seen, you: Seat | null, news: GameNews, history: HistoryDigests): Seen {
  const moves = news.turn ?? 0;
  const chain = news.chain ?? '';
  if (!chain || (seen.chain && !isContinued(seen, you, moves, chain, history))) return seen;
  return { ...seen, seat: you, moves, chain, notes: history.count, shown: history.after(history.count) };
}

function isContinued(seen: Seen, you: Seat | null, moves: number, chain: string, history: HistoryDigests): boolean {
  if (seen.seat !== you) return seen.seat === null; // who sits down sees more than before, who leaves sees less
  const isLater = moves > seen.moves || (moves === seen.moves && chain === seen.chain);
  return isLater && history.after(seen.notes) === seen.shown;
}

// Storage ------------------------------------------------------------------------------------------

export function saveSeen(seen: Seen): void {
  const name = nameOf(seen.table, seen.number);
  const others = allSaved().filter(([one]) => one !== name);
  saveJson(KEY, [...others, [name, seen]].slice(-MAX_SAVED));
}

export function savedSeen(table: string, number: number): Seen | null {
  const saved = allSaved().find(([name]) => name === nameOf(table, number))?.[1];
  if (!saved) return null;
  // Earlier versions saved only the commitment, the seat, and bytes that the table had accepted.
  return { ...newSeen(table, number, ''), accepted: Boolean(saved.bytes), ...saved };
}

function nameOf(table: string, number: number): string {
  return `${table}/${number}`;
}

function allSaved(): [string, Partial<Seen>][] {
  try {
    const found = JSON.parse(loadText(KEY) ?? '[]') as [string, Partial<Seen>][] | null;
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
