/** What the games are called, in the language that is chosen now. */

import { bookOf } from './book.svelte';
import type { Offer } from './requests';
import { settings } from './settings.svelte';

export class GameNames {
  private known: Record<string, string> = $state({});

  constructor(private readonly games: () => Offer[]) {
    $effect(() => {
      const language = settings.language;
      for (const { id } of games()) {
        void bookOf(id, language).then(
          (book) => (this.known[`${id} ${language}`] = book.name),
          () => undefined, // its English name stands there already
        );
      }
    });
  }

  of(id: string): string {
    return this.known[`${id} ${settings.language}`] ?? this.games().find((game) => game.id === id)?.name ?? id;
  }
}
