/** Texts for words of the protocol: why something was denied, why a table ended, what bots are called. */

import common from '../messages/common.json';
import denials from '../messages/denials.json';
import { words } from '../messages/index.svelte';
import { OFFLINE, Trouble } from './requests';

const t = words(denials);
const c = words(common);

function isIn<A extends object>(area: A, key: string): key is keyof A & string {
  return Object.hasOwn(area, key);
}

/** Why something was denied; the server's own sentence where there is no other. */
export function reasonOf(code: string, text = ''): string {
  const key = `denied ${code}`;
  return isIn(denials, key) ? t(key) : text;
}

export function reasonIn(error: unknown): string {
  return error instanceof Trouble ? reasonOf(error.code, error.message) : reasonOf(OFFLINE);
}

/** Why one is no longer at the table. */
export function farewellOf(code: string): string {
  const key = `bye ${code}`;
  return isIn(denials, key) ? t(key) : t('bye unknown');
}

export function botLabel(kind: string): string {
  const key = `bot ${kind}`;
  return isIn(common, key) ? c(key) : kind;
}
