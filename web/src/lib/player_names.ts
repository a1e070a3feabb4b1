/** Names of players inside translated texts. */

import home from '../messages/home.json';
import { translator } from '../messages/index.svelte';
import { settings } from './settings.svelte';
import { localeOf } from './wording';

const t = translator(home);

/** Wraps a name in Unicode isolates, so that a right-to-left name does not reorder the text around it. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}

/** "with Ben, Cleo and Dora" */
export function withPlayers(names: string[]): string {
  if (names.length === 0) return t('no others');
  const list = new Intl.ListFormat(localeOf(settings.language));
  return t('with', { names: list.format(names.map(isolate)) });
}
