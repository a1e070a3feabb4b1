/** Tells a player that it is their turn: title, icon, sound, notification; and keeps the screen awake. */

import common from '../messages/common.json';
import { translator } from '../messages/index.svelte';
import type { Ask } from './protocol';
import { PASS, hasRole, type NoteRoles } from './roles';
import { settings } from './settings.svelte';
import { allowSound, playSound, type Sound } from './sound';
import type { Scene, Table } from './table.svelte';

const t = translator(common);
const TITLE = 'Fuda';
const ICON = '/icon.svg';
const TURN_ICON = '/icon-turn.svg';

/** Whether the player has a choice; where there is none in a reaction, the server passes for them. */
export function needsAnswer(ask: Ask | null | undefined): boolean {
  if (!ask) return false;
  return !(ask.reaction && ask.moves.length === 1 && ask.moves[0] === PASS);
}

/** The sound to play when one scene follows another. */
export function soundFor(before: Scene | null, after: Scene, roles: NoteRoles): Sound | null {
  if (needsAnswer(after.ask) && after.ask?.since !== before?.ask?.since) return after.ask?.reaction ? 'reaction' : 'turn';
  if (!before || before.number !== after.number) return null;
  const notes = after.history.slice(before.history.length);
  if (notes.some((note) => hasRole(note, 'scored', roles))) return 'end';
  return notes.some((note) => hasRole(note, 'played', roles)) ? 'card' : null;
}

/** Alerts the player of this table for as long as the calling component lives. */
export function alertPlayer(table: () => Table | null, game: () => string): void {
  $effect(() => allowSound());
  alertTurn(table, game);
  alertSounds(table);
  const isPlaying = $derived(table()?.table?.phase === 'playing');
  keepAwake(() => isPlaying);
}

function alertTurn(table: () => Table | null, game: () => string): void {
  const asking = $derived(table()?.asking);
  const isTurn = $derived(needsAnswer(asking) && table()?.sending === null);
  $effect(() => {
    const title = game() ? `${game()} – ${TITLE}` : TITLE;
    document.title = isTurn ? `● ${t('your turn')} – ${title}` : title;
    showIcon(isTurn ? TURN_ICON : ICON);
    return () => {
      document.title = TITLE;
      showIcon(ICON);
    };
  });
  const since = $derived(needsAnswer(asking) ? asking?.since : undefined);
  const id = $derived(table()?.id);
  $effect(() => {
    if (!id || !settings.notify) return;
    if (since === undefined) void clearNotification(id);
    else if (document.hidden) void notify(id);
  });
}

function alertSounds(table: () => Table | null): void {
  let before: Scene | null = null;
  $effect(() => {
    const current = table();
    const scene = current?.scene ?? null;
    const sound = scene && soundFor(before, scene, current?.noteRoles ?? {});
    before = scene;
    if (sound && settings.sound) playSound(sound);
  });
}

function showIcon(address: string): void {
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute('href', address);
}

// Notifications ------------------------------------------------------------------------------------

export function canNotify(): boolean {
  return 'Notification' in globalThis;
}

/** Asks the browser for permission; whether it was given. */
export async function requestNotifications(): Promise<boolean> {
  if (!canNotify()) return false;
  const isAllowed = (await Notification.requestPermission()) === 'granted';
  if (isAllowed) await serviceWorker();
  return isAllowed;
}

async function notify(table: string): Promise<void> {
  if (!canNotify() || Notification.permission !== 'granted') return;
  const options: NotificationOptions = { body: t('your turn'), tag: table, icon: '/icon-192.png', data: location.href };
  const registration = await serviceWorker();
  if (registration) await registration.showNotification(TITLE, options);
  else showWithoutWorker(options);
}

async function clearNotification(table: string): Promise<void> {
  if (!canNotify() || Notification.permission !== 'granted') return;
  const registration = await serviceWorker();
  for (const shown of (await registration?.getNotifications({ tag: table })) ?? []) shown.close();
}

function showWithoutWorker(options: NotificationOptions): void {
  try {
    const shown = new Notification(TITLE, options);
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    // phones show notifications only through a service worker
  }
}

/** The service worker; it is used for notifications only. */
async function serviceWorker(): Promise<ServiceWorkerRegistration | null> {
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
    let isRequesting = false;
    const request = async (): Promise<void> => {
      if (isRequesting || document.hidden || (lock && !lock.released)) return;
      isRequesting = true;
      try {
        const granted = await navigator.wakeLock.request('screen');
        if (isOver) await granted.release();
        else lock = granted;
      } catch {
        // refused, for example because the battery is low
      } finally {
        isRequesting = false;
      }
    };
    const onVisibility = (): void => void request();
    document.addEventListener('visibilitychange', onVisibility);
    void request();
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', onVisibility);
      void lock?.release();
    };
  });
}
