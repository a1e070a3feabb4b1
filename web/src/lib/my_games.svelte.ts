/** The tables where this browser has a seat and the games it has finished, as the home page lists them. */

import type { Seat, TableState } from './protocol';
import { recordProblem, tableProblem } from './requests';
import { loadText, saveJson } from './storage';

interface RunningGame {
  table: string;
  invite: string;
  game: string;
  others: string[];
  isPlaying: boolean;
  at: number;
}

interface FinishedGame {
  table: string;
  number: number;
  game: string;
  others: string[];
  hasWon: boolean;
  at: number;
}

export interface SavedGames {
  running: RunningGame[];
  finished: FinishedGame[];
}

const KEY = 'fuda-mine';
const MAX_RUNNING = 12;
const MAX_FINISHED = 12;
const DAY = 86_400_000;
/** The server's codes for a table at which this browser no longer has a seat. */
const GONE = ['no table', 'closed', 'not seated', 'no entry'];

/** The saved games, updated with what is known of a table now. */
export function withTable(saved: SavedGames, table: TableState, you: Seat, winners: string[], now: number): SavedGames {
  const others = table.chairs.filter((chair) => chair.seat !== you && chair.kind !== 'closed' && chair.name).map((chair) => chair.name ?? '');
  const running = saved.running.filter((one) => one.table !== table.id);
  if (table.phase === 'over') {
    const isThis = (one: FinishedGame): boolean => one.table === table.id && one.number === table.number;
    const known = saved.finished.find(isThis);
    const hasWon = known?.hasWon || winners.includes(you);
    const finished = { table: table.id, number: table.number, game: table.game, others, hasWon, at: known?.at ?? now };
    return { running, finished: [finished, ...saved.finished.filter((one) => !isThis(one))].slice(0, MAX_FINISHED) };
  }
  if (table.phase === 'closed') return { ...saved, running };
  const current = { table: table.id, invite: table.invite ?? '', game: table.game, others, isPlaying: table.phase === 'playing', at: now };
  return { ...saved, running: [current, ...running].slice(0, MAX_RUNNING) };
}

/** Reads the saved text and drops entries that are not valid. */
export function parse(text: string | null): SavedGames {
  try {
    const saved = JSON.parse(text ?? '{}') as { running?: unknown; finished?: unknown } | null;
    return { running: validEntries<RunningGame>(saved?.running, MAX_RUNNING), finished: validEntries<FinishedGame>(saved?.finished, MAX_FINISHED) };
  } catch {
    return { running: [], finished: [] };
  }
}

function validEntries<T extends { table: string; game: string; others: string[]; at: number }>(found: unknown, most: number): T[] {
  if (!Array.isArray(found)) return [];
  const isValid = (one: Partial<T> | null): boolean =>
    typeof one?.table === 'string' && typeof one.game === 'string' && Array.isArray(one.others) && typeof one.at === 'number';
  return (found as T[]).filter(isValid).slice(0, most);
}

class MyGames {
  saved: SavedGames = $state.raw(parse(loadText(KEY)));

  constructor() {
    if (typeof addEventListener === 'undefined') return;
    addEventListener('storage', (event) => {
      if (event.key === KEY) this.saved = parse(event.newValue);
    });
  }

  update(table: TableState, you: Seat, winners: string[]): void {
    this.save(withTable(parse(loadText(KEY)), table, you, winners, Date.now()));
  }

  removeRunning(table: string): void {
    const saved = parse(loadText(KEY));
    if (saved.running.some((one) => one.table === table)) this.save({ ...saved, running: saved.running.filter((one) => one.table !== table) });
  }

  removeFinished(table: string, number: number): void {
    const saved = parse(loadText(KEY));
    const isOther = (one: FinishedGame): boolean => one.table !== table || one.number !== number;
    if (!saved.finished.every(isOther)) this.save({ ...saved, finished: saved.finished.filter(isOther) });
  }

  /** Asks the server about tables that may be gone, and removes those that are. */
  async removeGone(): Promise<void> {
    const isOld = (one: { at: number }): boolean => Date.now() - one.at > DAY;
    const running = this.saved.running.filter((one) => one.isPlaying || isOld(one));
    await Promise.all([
      ...running.map(async (one) => {
        if (GONE.includes(await tableProblem(one.table))) this.removeRunning(one.table);
      }),
      ...this.saved.finished
        .filter(isOld)
        .map(async (one) => {
          if ((await recordProblem(one.table, one.number)) === 'no record') this.removeFinished(one.table, one.number);
        }),
    ]);
  }

  private save(saved: SavedGames): void {
    this.saved = saved;
    saveJson(KEY, saved);
  }
}

export const myGames = new MyGames();
