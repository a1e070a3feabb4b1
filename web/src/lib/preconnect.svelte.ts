/** A table is connected to, and its book fetched, while the files that show it are still on their way. */

import { bookOf } from './book.svelte';
import { place } from './route.svelte';
import { settings } from './settings.svelte';
import { Table } from './table.svelte';

let early: Table | null = null;

export function connectEarly(): void {
  const route = place.route;
  if (route.page !== 'table') return;
  const made = new Table(route.table, route.invite);
  early = made;
  made.start();
  const stop = $effect.root(() => {
    $effect(() => {
      if (!made.table) return;
      bookOf(made.table.game, settings.language).catch(() => undefined);
      queueMicrotask(stop);
    });
  });
}

/** The table, connected: early if it was, for whoever asks first. */
export function connected(id: string, invite: string): Table {
  const made = early;
  early = null;
  if (made?.id === id) return made;
  made?.close();
  const fresh = new Table(id, invite);
  fresh.start();
  return fresh;
}
