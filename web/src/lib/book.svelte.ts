/** The books of the games, fetched once for each game and language. */

import type { Book } from './protocol';
import { settings, type Language } from './settings.svelte';

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing that is shown depends on it
const fetched = new Map<string, Promise<Book>>();

export function bookOf(game: string, language: Language): Promise<Book> {
  const key = `${game} ${language}`;
  let book = fetched.get(key);
  if (!book) {
    book = fetchBook(game, language);
    fetched.set(key, book);
    book.catch(() => fetched.delete(key));
  }
  return book;
}

async function fetchBook(game: string, language: Language): Promise<Book> {
  for (let wait = 500; ; wait = Math.min(8000, wait * 2)) {
    try {
      const answer = await fetch(`/api/games/${encodeURIComponent(game)}/book?lang=${language}`);
      if (answer.ok) return (await answer.json()) as Book;
      if (answer.status === 404) throw new Error(`There is no game ${game}.`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // fetch fails with a TypeError where there is no connection
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** A game's book in the language that is chosen now; the one before stays until the new one is there. */
export class Shelf {
  book: Book | null = $state.raw(null);

  constructor(game: () => string) {
    $effect(() => {
      const wanted = game();
      const language = settings.language;
      if (!wanted) return undefined;
      let isWanted = true;
      void bookOf(wanted, language).then(
        (book) => isWanted && (this.book = book),
        () => undefined, // the server no longer knows this game
      );
      return () => {
        isWanted = false;
      };
    });
  }
}
