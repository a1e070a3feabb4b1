/** How a player notices that something is wanted: the title, the icon, a sound, a notification; and a screen that stays awake. */

import common from '../messages/common.json';
import { words } from '../messages/index.svelte';
import type { Ask } from './protocol';
import { settings } from './settings.svelte';
import { allowSound, makeSound, type Sound } from './sound';
import type { Scene, Table } from './table.svelte';
import { PLAY, SCORE } from './view';

const t = words(common);
const USUAL_TITLE = 'Fuda';
const USUAL_ICON = '/icon.svg';
const TURN_ICON = '/icon-turn.svg';
/** Where this is all that can be answered, the server does it. */
const PASS = 'pass';

/** Whether a person has something to decide. */
export function isWanted(ask: Ask | null | undefined): boolean {
  if (!ask) return false;
  return !(ask.reaction && ask.moves.length === 1 && ask.moves[0] === PASS);
}

/** What is to be heard when one scene follows another. */
export function soundOf(before: Scene | null, after: Scene): Sound | null {
  if (isWanted(after.ask) && after.ask?.since !== before?.ask?.since) return after.ask?.reaction ? 'reaction' : 'turn';
  if (!before || before.number !== after.number) return null;
  const kinds = after.history.slice(before.history.length).map((note) => note.kind);
  if (kinds.includes(SCORE)) return 'end';
  return kinds.includes(PLAY) ? 'card' : null;
}

/** Follows a table for as long as the component lives that calls this. */
export function followTable(table: () => Table | null, game: () => string): void {
  $effect(() => allowSound());
  followTurn(table, game);
  followSounds(table);
  const isPlaying = $derived(table()?.table?.phase === 'playing');
  keepAwake(() => isPlaying);
}

function followTurn(table: () => Table | null, game: () => string): void {
  const asking = $derived(table()?.asking);
  const wanted = $derived(isWanted(asking) && table()?.sending === null);
  $effect(() => {
    const title = game() ? `${game()} – ${USUAL_TITLE}` : USUAL_TITLE;
    document.title = wanted ? `● ${t('your turn')} – ${title}` : title;
    showIcon(wanted ? TURN_ICON : USUAL_ICON);
    return () => {
      document.title = USUAL_TITLE;
      showIcon(USUAL_ICON);
    };
  });
  const since = $derived(isWanted(asking) ? asking?.since : undefined);
  const id = $derived(table()?.id);
  $effect(() => {
    if (!id || !settings.notify) return;
    if (since === undefined) void unnotify(id);
    else if (document.hidden) void notify(id);
  });
}

function followSounds(table: () => Table | null): void {
  let before: Scene | null = null;
  $effect(() => {
    const scene = table()?.scene ?? null;
    const sound = scene && soundOf(before, scene);
    before = scene;
    if (sound && settings.sound) makeSound(sound);
  });
}

function showIcon(address: string): void {
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute('href', address);
}

// Notifications ------------------------------------------------------------------------------------

export function canNotify(): boolean {
  return 'Notification' in globalThis;
}

/** Asks for the permission; gives whether it is there. */
export async function mayNotify(): Promise<boolean> {
  if (!canNotify()) return false;
  const isAllowed = (await Notification.requestPermission()) === 'granted';
  if (isAllowed) await worker();
  return isAllowed;
}

async function notify(table: string): Promise<void> {
  if (!canNotify() || Notification.permission !== 'granted') return;
  const wish: NotificationOptions = { body: t('your turn'), tag: table, icon: '/icon-192.png', data: location.href };
  const registration = await worker();
  if (registration) await registration.showNotification(USUAL_TITLE, wish);
  else showPlainly(wish);
}

/** What was answered, here or elsewhere, is not to be read any more. */
async function unnotify(table: string): Promise<void> {
  if (!canNotify() || Notification.permission !== 'granted') return;
  const registration = await worker();
  for (const shown of (await registration?.getNotifications({ tag: table })) ?? []) shown.close();
}

function showPlainly(wish: NotificationOptions): void {
  try {
    const shown = new Notification(USUAL_TITLE, wish);
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    // phones show them only through a worker
  }
}

/** The service worker, which exists for notifications alone. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  try {
    await navigator.serviceWorker.register('/sw.js');
    return await navigator.serviceWorker.ready;
  } catch {
    return null;
  }
}

// The screen ---------------------------------------------------------------------------------------

function keepAwake(isPlaying: () => boolean): void {
  $effect(() => {
    if (!isPlaying() || !('wakeLock' in navigator)) return undefined;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    let isAsking = false;
    const ask = async (): Promise<void> => {
      if (isAsking || document.hidden || (lock && !lock.released)) return;
      isAsking = true;
      try {
        const given = await navigator.wakeLock.request('screen');
        if (isOver) await given.release();
        else lock = given;
      } catch {
        // the battery is low, or the browser does not want to
      } finally {
        isAsking = false;
      }
    };
    const seen = (): void => void ask();
    document.addEventListener('visibilitychange', seen);
    void ask();
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', seen);
      void lock?.release();
    };
  });
}
