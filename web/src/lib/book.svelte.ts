/** The books of the games (all their texts in one language), loaded once for each game and language. */

import type { Book } from './protocol';
import { settings, type Language } from './settings.svelte';

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing that is shown depends on it
const books = new Map<string, Promise<Book>>();

export function loadBook(game: string, language: Language): Promise<Book> {
  const key = `${game} ${language}`;
  let book = books.get(key);
  if (!book) {
    book = fetchBook(game, language);
    books.set(key, book);
    book.catch(() => books.delete(key));
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

/** The book with the texts that its cards have with these options. */
export function bookWith(book: Book, options: Record<string, unknown>): Book {
  const keys = Object.entries(options).map(([name, value]) => `${name} ${String(value)}`);
  const cards = book.cards.map((card) => {
    const key = keys.find((one) => card.variants && Object.hasOwn(card.variants, one));
    return key ? { ...card, text: card.variants?.[key] ?? '' } : card;
  });
  return { ...book, cards };
}

/** A game's book in the chosen language, for a game with these options; the previous one stays until the new one is loaded. */
export class CurrentBook {
  private loaded: Book | null = $state.raw(null);
  /** As text, so that the book stays the same object when a view brings the same options again. */
  private options = $state('{}');
  book: Book | null = $derived(this.loaded && bookWith(this.loaded, JSON.parse(this.options) as Record<string, unknown>));

  constructor(game: () => string, options: () => Record<string, unknown> = () => ({})) {
    $effect.pre(() => {
      this.options = JSON.stringify(options());
    });
    $effect(() => {
      const id = game();
      const language = settings.language;
      if (!id) return undefined;
      let isCurrent = true;
      void loadBook(id, language).then(
        (book) => isCurrent && (this.loaded = book),
        () => undefined, // the server no longer knows this game
      );
      return () => {
        isCurrent = false;
      };
    });
  }
}
