/** The names of the games in the chosen language. */

import { loadBook } from './book.svelte';
import type { GameInfo } from './requests';
import { settings } from './settings.svelte';

export class GameNames {
  /** By game and language. */
  private names: Record<string, string> = $state({});

  constructor(private readonly games: () => GameInfo[]) {
    $effect(() => {
      const language = settings.language;
      for (const { id } of games()) {
        void loadBook(id, language).then(
          (book) => (this.names[`${id} ${language}`] = book.name),
          () => undefined, // the English name is shown
        );
      }
    });
  }

  of(id: string): string {
    return this.names[`${id} ${settings.language}`] ?? this.games().find((game) => game.id === id)?.name ?? id;
  }
}
