/** The wording of a book with the settings of this device. */

import { translator } from '../messages/index.svelte';
import texts from '../messages/table.json';
import type { Book } from './protocol';
import { settings } from './settings.svelte';
import { Wording } from './wording';

const t = translator(texts);

export function wordingFor(book: Book, names: Record<string, string>): Wording {
  return new Wording(book, names, settings.family, { nobody: t('nobody'), nothing: t('nothing'), comma: t('comma') });
}
