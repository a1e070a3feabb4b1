/** Connects to a table and loads its book while the scripts that show the table are still loading. */

import { loadBook } from './book.svelte';
import { router } from './route.svelte';
import { settings } from './settings.svelte';
import { Table } from './table.svelte';

let preconnected: Table | null = null;

export function preconnect(): void {
  const route = router.route;
  if (route.page !== 'table') return;
  const table = new Table(route.table, route.invite);
  preconnected = table;
  table.start();
  const stop = $effect.root(() => {
    $effect(() => {
      if (!table.table) return;
      loadBook(table.table.game, settings.language).catch(() => undefined);
      queueMicrotask(stop);
    });
  });
}

/** A connected table; the first caller gets the preconnected one if it is the same table. */
export function connectTable(id: string, invite: string): Table {
  const early = preconnected;
  preconnected = null;
  if (early?.id === id) return early;
  early?.close();
  const table = new Table(id, invite);
  table.start();
  return table;
}
