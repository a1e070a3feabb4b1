/** The commitments that tables showed before the deal, saved so that the finished game can be checked against them. */

import { loadText, saveJson } from './storage';

export interface SavedCommitment {
  commitment: string;
  seat: string;
  /** The random bytes that this page gave; empty if the table did not take them. */
  bytes: string;
}

const KEY = 'fuda-luck';
const MAX_SAVED = 50;

export function saveCommitment(table: string, number: number, saved: SavedCommitment): void {
  const game = `${table}/${number}`;
  const others = allSaved().filter(([one]) => one !== game);
  const bytes = saved.bytes || (savedCommitment(table, number)?.bytes ?? '');
  saveJson(KEY, [...others, [game, { ...saved, bytes }]].slice(-MAX_SAVED));
}

export function savedCommitment(table: string, number: number): SavedCommitment | null {
  return allSaved().find(([game]) => game === `${table}/${number}`)?.[1] ?? null;
}

/** Seats may be swapped between the commitment and the deal. */
export function updateSeat(table: string, number: number, seat: string): void {
  const saved = savedCommitment(table, number);
  if (saved && saved.seat !== seat) saveCommitment(table, number, { ...saved, seat });
}

function allSaved(): [string, SavedCommitment][] {
  try {
    const found = JSON.parse(loadText(KEY) ?? '[]') as [string, SavedCommitment][] | null;
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
