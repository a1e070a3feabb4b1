/** What is asked of the server besides the table's own connection: games, tables, seats. */

import { newId } from './connection';
import type { Claim, Failed, Join, Listed, Open, Tables, Taken } from './protocol';

/** A game as the server's list has it; its texts are in its book. */
export interface Offer {
  id: string;
  name: string;
  about: string;
  players: [number, number];
  options: Record<string, boolean | number | string | null>;
  /** The first of them sits down where nobody asks for another. */
  bots: string[];
}

/** Why a request was not carried out; its code is one of the server's, or `offline`. */
export class Trouble extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

export const OFFLINE = 'offline';
/** After these, the same request may be carried out a moment later. */
const PASSING = [OFFLINE, 'busy'];
const WAITS = [300, 900, 2700];
const USUAL_PLAYERS = 4;

export function listGames(): Promise<Offer[]> {
  return patiently(() => request<Offer[]>('/api/games'));
}

export async function listTables(): Promise<Listed[]> {
  return (await request<Tables>('/api/tables')).tables;
}

/** It is not sent again by itself: a second table would be opened. */
export function openTable(wish: Open): Promise<Taken> {
  return request<Taken>('/api/tables', wish);
}

export function takeSeat(table: string, wish: Omit<Join, 'id'>): Promise<Taken> {
  const join: Join = { ...wish, id: newId() };
  return patiently(() => request<Taken>(`/api/tables/${table}/seats`, join));
}

export function claimSeat(table: string, code: string): Promise<Taken> {
  const claim: Claim = { code, id: newId() };
  return patiently(() => request<Taken>(`/api/tables/${table}/claims`, claim));
}

/** What the server says of a table that somebody sits at: nothing if all is well, else the code of the denial. */
export async function troubleAt(table: string): Promise<string> {
  try {
    await request(`/api/tables/${table}/record`);
    return '';
  } catch (error) {
    const code = error instanceof Trouble ? error.code : OFFLINE;
    return code === 'no record' ? '' : code;
  }
}

export async function troubleWithRecord(table: string, number: number): Promise<string> {
  const answer = await fetch(`/api/tables/${table}/records/${number}`, { method: 'HEAD' }).catch(() => null);
  if (!answer) return OFFLINE;
  return answer.status === 404 ? 'no record' : '';
}

async function request<T>(path: string, body?: object): Promise<T> {
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let status: number;
  let text: string;
  try {
    const answer = await fetch(path, body && posted);
    status = answer.status;
    text = await answer.text();
  } catch {
    throw new Trouble(OFFLINE, '');
  }
  if (status < 400) return JSON.parse(text) as T;
  throw troubleIn(text);
}

function troubleIn(text: string): Trouble {
  try {
    const failed = JSON.parse(text) as Failed;
    return new Trouble(failed.code, failed.text);
  } catch {
    return new Trouble('busy', ''); // something between us and the server has answered
  }
}

/** Tries again, a few times, what may be sent twice. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Trouble) || !PASSING.includes(error.code)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return act();
}

// What to ask for ----------------------------------------------------------------------------------

export function usualPlayers([least, most]: [number, number]): number {
  return Math.min(most, Math.max(least, USUAL_PLAYERS));
}

/** One's own chair, and the others all alike. */
export function chairsFor(players: number, others: string): string[] {
  return Array.from({ length: players }, (_, at) => (at === 0 ? 'me' : others));
}

export function tableAddress(table: string, invite: string): string {
  return `/t/${table}${invite ? `#${invite}` : ''}`;
}

export function deviceAddress(table: string, code: string): string {
  return `/d/${table}#${code}`;
}
