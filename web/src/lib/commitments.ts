/** What was promised before the deal, so that it can be checked afterwards against what this page was shown. */

import { keep, recall } from './storage';

export interface Promised {
  commitment: string;
  seat: string;
  /** What this page has given; empty if the table has taken nothing from it. */
  bytes: string;
}

const KEY = 'fuda-luck';
const MOST_KEPT = 50;

export function remember(table: string, number: number, promised: Promised): void {
  const game = `${table}/${number}`;
  const others = promises().filter(([one]) => one !== game);
  const bytes = promised.bytes || (remembered(table, number)?.bytes ?? '');
  keep(KEY, [...others, [game, { ...promised, bytes }]].slice(-MOST_KEPT));
}

export function remembered(table: string, number: number): Promised | null {
  return promises().find(([game]) => game === `${table}/${number}`)?.[1] ?? null;
}

/** Seats may have been swapped since: this is the one that is played. */
export function sitAt(table: string, number: number, seat: string): void {
  const promised = remembered(table, number);
  if (promised && promised.seat !== seat) remember(table, number, { ...promised, seat });
}

function promises(): [string, Promised][] {
  try {
    const found = JSON.parse(recall(KEY) ?? '[]') as [string, Promised][] | null;
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
