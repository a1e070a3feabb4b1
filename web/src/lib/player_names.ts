/** With whom one plays, in words. */

import home from '../messages/home.json';
import { words } from '../messages/index.svelte';
import { settings } from './settings.svelte';
import { localeOf } from './wording';

const t = words(home);

/** A name within text that is one string: it may run from right to left, and must not turn what stands beside it. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

export function company(names: string[]): string {
  if (names.length === 0) return t('alone');
  const list = new Intl.ListFormat(localeOf(settings.language));
  return t('with', { names: list.format(names.map(isolated)) });
}
