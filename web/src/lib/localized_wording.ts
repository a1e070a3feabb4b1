/** The words of a book as this device wants them. */

import { words } from '../messages/index.svelte';
import texts from '../messages/table.json';
import type { Book } from './protocol';
import { settings } from './settings.svelte';
import { Wording } from './wording';

const t = words(texts);

export function wordingOf(book: Book, names: Record<string, string>): Wording {
  return new Wording(book, names, settings.family, { nobody: t('nobody'), nothing: t('nothing'), comma: t('comma') });
}
