/** The tables where one sits and the games one has finished, as this browser remembers them. */

import { keep, recall } from './storage';
import type { Seat, TableState } from './protocol';
import { troubleAt, troubleWithRecord } from './requests';

export interface Running {
  table: string;
  invite: string;
  game: string;
  others: string[];
  isPlaying: boolean;
  at: number;
}

export interface Finished {
  table: string;
  number: number;
  game: string;
  others: string[];
  hasWon: boolean;
  at: number;
}

export interface Kept {
  running: Running[];
  finished: Finished[];
}

const KEY = 'fuda-mine';
const MOST_RUNNING = 12;
const MOST_FINISHED = 12;
const DAY = 86_400_000;
/** What the server says of tables where one has no seat any more. */
const GONE = ['no table', 'closed', 'not seated', 'no entry'];

/** What is to be remembered after a look at a table. */
export function noticed(kept: Kept, table: TableState, you: Seat, winners: string[], now: number): Kept {
  const others = table.chairs.filter((chair) => chair.seat !== you && chair.kind !== 'closed' && chair.name).map((chair) => chair.name ?? '');
  const running = kept.running.filter((one) => one.table !== table.id);
  if (table.phase === 'over') {
    const isThis = (one: Finished): boolean => one.table === table.id && one.number === table.number;
    const known = kept.finished.find(isThis);
    const hasWon = known?.hasWon || winners.includes(you);
    const ended = { table: table.id, number: table.number, game: table.game, others, hasWon, at: known?.at ?? now };
    return { running, finished: [ended, ...kept.finished.filter((one) => !isThis(one))].slice(0, MOST_FINISHED) };
  }
  if (table.phase === 'closed') return { ...kept, running };
  const seen = { table: table.id, invite: table.invite ?? '', game: table.game, others, isPlaying: table.phase === 'playing', at: now };
  return { ...kept, running: [seen, ...running].slice(0, MOST_RUNNING) };
}

/** What is kept, as far as it makes sense. */
export function read(text: string | null): Kept {
  try {
    const kept = JSON.parse(text ?? '{}') as { running?: unknown; finished?: unknown } | null;
    return { running: entries<Running>(kept?.running, MOST_RUNNING), finished: entries<Finished>(kept?.finished, MOST_FINISHED) };
  } catch {
    return { running: [], finished: [] };
  }
}

function entries<T extends { table: string; game: string; others: string[]; at: number }>(found: unknown, most: number): T[] {
  if (!Array.isArray(found)) return [];
  const isEntry = (one: Partial<T> | null): boolean =>
    typeof one?.table === 'string' && typeof one.game === 'string' && Array.isArray(one.others) && typeof one.at === 'number';
  return (found as T[]).filter(isEntry).slice(0, most);
}

class Mine {
  kept: Kept = $state.raw(read(recall(KEY)));

  constructor() {
    if (typeof addEventListener === 'undefined') return;
    addEventListener('storage', (event) => {
      if (event.key === KEY) this.kept = read(event.newValue);
    });
  }

  notice(table: TableState, you: Seat, winners: string[]): void {
    this.keep(noticed(read(recall(KEY)), table, you, winners, Date.now()));
  }

  /** There is no seat any more at that table. */
  leave(table: string): void {
    const kept = read(recall(KEY));
    if (kept.running.some((one) => one.table === table)) this.keep({ ...kept, running: kept.running.filter((one) => one.table !== table) });
  }

  forget(table: string, number: number): void {
    const kept = read(recall(KEY));
    const isOther = (one: Finished): boolean => one.table !== table || one.number !== number;
    if (!kept.finished.every(isOther)) this.keep({ ...kept, finished: kept.finished.filter(isOther) });
  }

  /** Asks the server which of them are still there, as far as it can be expected to have something. */
  async check(): Promise<void> {
    const isOld = (one: { at: number }): boolean => Date.now() - one.at > DAY;
    const running = this.kept.running.filter((one) => one.isPlaying || isOld(one));
    await Promise.all([
      ...running.map(async (one) => {
        if (GONE.includes(await troubleAt(one.table))) this.leave(one.table);
      }),
      ...this.kept.finished
        .filter(isOld)
        .map(async (one) => {
          if ((await troubleWithRecord(one.table, one.number)) === 'no record') this.forget(one.table, one.number);
        }),
    ]);
  }

  private keep(kept: Kept): void {
    this.kept = kept;
    keep(KEY, kept);
  }
}

export const mine = new Mine();
