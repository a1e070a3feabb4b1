/** HTTP requests to the server: games, tables, seats. */

import { randomHex } from './connection';
import type { Claim, Failed, Join, Listed, Open, Tables, Taken } from './protocol';

/** A game in the server's list; its texts are in its book. */
export interface GameInfo {
  id: string;
  name: string;
  about: string;
  players: [number, number];
  options: Record<string, boolean | number | string | null>;
  /** The first one is the default. */
  bots: string[];
}

/** A request failed; its code is one of the server's, or `offline`. */
export class RequestError extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

export const OFFLINE = 'offline';
const RETRYABLE = [OFFLINE, 'busy'];
const RETRY_WAITS = [300, 900, 2700];
const DEFAULT_PLAYERS = 4;

export function listGames(): Promise<GameInfo[]> {
  return withRetries(() => request<GameInfo[]>('/api/games'));
}

export async function listTables(): Promise<Listed[]> {
  return (await request<Tables>('/api/tables')).tables;
}

/** Without retries: each would open another table. */
export function openTable(table: Open): Promise<Taken> {
  return request<Taken>('/api/tables', table);
}

export function takeSeat(table: string, seat: Omit<Join, 'id'>): Promise<Taken> {
  const join: Join = { ...seat, id: randomHex() };
  return withRetries(() => request<Taken>(`/api/tables/${table}/seats`, join));
}

export function claimSeat(table: string, code: string): Promise<Taken> {
  const claim: Claim = { code, id: randomHex() };
  return withRetries(() => request<Taken>(`/api/tables/${table}/claims`, claim));
}

/** Why a table cannot be used, as the server's code; empty if it can. */
export async function tableProblem(table: string): Promise<string> {
  try {
    await request(`/api/tables/${table}/record`);
    return '';
  } catch (error) {
    const code = error instanceof RequestError ? error.code : OFFLINE;
    return code === 'no record' ? '' : code; // its game is not over yet
  }
}

export async function recordProblem(table: string, number: number): Promise<string> {
  const answer = await fetch(`/api/tables/${table}/records/${number}`, { method: 'HEAD' }).catch(() => null);
  if (!answer) return OFFLINE;
  return answer.status === 404 ? 'no record' : '';
}

async function request<T>(path: string, body?: object): Promise<T> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let status: number;
  let text: string;
  try {
    const answer = await fetch(path, body && post);
    status = answer.status;
    text = await answer.text();
  } catch {
    throw new RequestError(OFFLINE, '');
  }
  if (status < 400) return JSON.parse(text) as T;
  throw errorIn(text);
}

function errorIn(text: string): RequestError {
  try {
    const failed = JSON.parse(text) as Failed;
    return new RequestError(failed.code, failed.text);
  } catch {
    return new RequestError('busy', ''); // the answer comes from a proxy, not from the server
  }
}

async function withRetries<T>(act: () => Promise<T>): Promise<T> {
  for (const wait of RETRY_WAITS) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof RequestError) || !RETRYABLE.includes(error.code)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return act();
}

export function defaultPlayers([least, most]: [number, number]): number {
  return Math.min(most, Math.max(least, DEFAULT_PLAYERS));
}

/** The chairs of a new table: one's own, and the same occupant on all others. */
export function chairsFor(players: number, others: string): string[] {
  return Array.from({ length: players }, (_, index) => (index === 0 ? 'me' : others));
}

// Browsers do not send what stands behind the `#` to the server, so the secrets stay out of its logs.

export function tableAddress(table: string, invite: string): string {
  return `/t/${table}${invite ? `#${invite}` : ''}`;
}

export function deviceAddress(table: string, code: string): string {
  return `/d/${table}#${code}`;
}
