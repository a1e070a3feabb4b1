/** Words for data: notes, questions and refusals become sentences here, in the language of the book. */

import type { Book, Card } from './protocol';

/** A piece of a sentence: words, or something that is shown in its own way. */
export type Part = string | { card: Card } | { suit: string } | { seat: string };
export type Facts = Record<string, unknown>;

/** The words for something of this kind: "draw, cards" stands for a draw of which the cards are known. */
export function templateOf(words: Record<string, string>, kind: string, facts: Facts): string | undefined {
  let key = kind;
  for (const [fact, value] of Object.entries(facts)) {
    if (value === null || value === undefined || value === 0 || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    for (const longer of [`${key}, ${fact} ${String(value)}`, `${key}, ${fact}`]) {
      if (Object.hasOwn(words, longer)) {
        key = longer;
        break;
      }
    }
  }
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** What the general words are, besides those of the book. */
export interface Common {
  nobody: string;
  nothing: string;
  /** What stands between things that are only listed. */
  comma: string;
}

/** Says what a book has words for, with the names of those who play. */
export class Wording {
  private readonly cards: Map<string, Card>;
  private readonly list: Intl.ListFormat;

  constructor(
    readonly book: Book,
    readonly names: Record<string, string>,
    readonly family: boolean,
    private readonly common: Common,
  ) {
    this.cards = new Map(book.cards.map((card) => [card.id, card]));
    this.list = new Intl.ListFormat(localeOf(book.language), { type: 'conjunction' });
  }

  note(note: Facts): Part[] {
    const card = typeof note.card === 'string' ? this.cards.get(note.card) : undefined;
    return this.said(this.book.notes, String(note.kind), { seats: this.common.nobody, ...note, text: card?.text ?? '' });
  }

  question(question: Facts): Part[] {
    return this.said(this.book.questions, String(question.kind), question);
  }

  caption(field: string, facts: Facts): Part[] {
    return this.said(this.book.captions, field, facts);
  }

  refusal(rule: string, facts: Facts): Part[] {
    return this.said(this.book.refusals, rule, facts);
  }

  /** A move, or a word of one. */
  move(move: string): Part[] {
    return this.spoken(move);
  }

  card(id: string): Card | undefined {
    return this.cards.get(id);
  }

  nameOf(card: Card): string {
    return this.family && card.mild ? card.mild : card.name;
  }

  /** A text as children may read it, if they are to. */
  mild(text: string): string {
    if (!this.family) return text;
    let out = text;
    for (const card of this.book.cards) {
      const mild = card.mild;
      if (mild) out = out.replaceAll(new RegExp(`${escaped(card.name)}|${escaped(card.id)}`, 'giu'), (rude) => likeIt(rude, mild));
    }
    return out;
  }

  plain(parts: Part[]): string {
    return parts.map((part) => this.plainPart(part)).join('');
  }

  private plainPart(part: Part): string {
    if (typeof part === 'string') return part;
    if ('card' in part) return this.nameOf(part.card);
    if ('seat' in part) return this.names[part.seat] ?? part.seat;
    return this.book.suits[part.suit]?.name ?? part.suit;
  }

  private said(words: Record<string, string>, kind: string, facts: Facts): Part[] {
    return this.sentence(templateOf(words, kind, facts) ?? '', facts);
  }

  /** The template with its {facts} put in. */
  private sentence(template: string, facts: Facts): Part[] {
    const parts: Part[] = [];
    for (const piece of template.split(/(\{\w+\})/)) {
      const fact = /^\{(\w+)\}$/.exec(piece)?.[1];
      if (fact === undefined) parts.push(this.mild(piece));
      else if (fact === 'text') parts.push(this.mild(String(facts.text ?? '')));
      else parts.push(...this.spoken(facts[fact]));
    }
    return merged(parts);
  }

  /** A fact in words. */
  private spoken(value: unknown): Part[] {
    if (Array.isArray(value)) return this.listed(value.map((one) => this.spoken(one)));
    if (value !== null && typeof value === 'object') {
      const pairs = Object.entries(value).map(([key, one]) => [...this.spoken(key), ' ', ...this.spoken(one)]);
      return pairs.flatMap((pair, at) => (at ? [this.common.comma, ...pair] : pair));
    }
    if (typeof value === 'number') return [signed(value)];
    if (typeof value !== 'string') return [];
    return this.word(value);
  }

  private word(word: string): Part[] {
    const card = this.cards.get(word);
    if (card) return [{ card }];
    if (Object.hasOwn(this.names, word)) return [{ seat: word }];
    if (Object.hasOwn(this.book.suits, word)) return [{ suit: word }];
    const term = this.book.terms[word];
    if (term !== undefined) return [this.mild(term)];
    if (word.startsWith('the ')) return this.book.language === 'en' ? ['the ', ...this.word(word.slice(4))] : this.word(word.slice(4));
    if (word.includes(' + ')) return this.listed(word.split(' + ').map((one) => this.word(one)));
    return [word];
  }

  private listed(things: Part[][]): Part[] {
    if (things.length === 0) return [this.common.nothing];
    const marks = things.map((_, at) => String.fromCharCode(0xe000 + at)); // private signs, each for one of the things
    return this.list.formatToParts(marks).flatMap((part) => {
      const at = part.type === 'element' ? part.value.charCodeAt(0) - 0xe000 : -1;
      return at < 0 ? [part.value] : (things[at] ?? []);
    });
  }
}

function merged(parts: Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part;
    else if (part !== '') out.push(part);
  }
  return out;
}

/** As it stands in a pattern. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The mild word with capitals where the rude one had them. */
function likeIt(rude: string, mild: string): string {
  const first = rude.charAt(0);
  return first !== first.toLowerCase() ? mild.charAt(0).toUpperCase() + mild.slice(1) : mild;
}

/** English as it is written in Europe: no comma before "and", the day before the month. */
export function localeOf(language: string): string {
  return language === 'en' ? 'en-GB' : language;
}

/** A number, or a rank, with a minus that is as wide as a plus. */
export function signed(value: number | string): string {
  return String(value).replace(/^-/, '−');
}
