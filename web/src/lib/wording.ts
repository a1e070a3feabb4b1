/** Turns notes, questions and refusals, which are data, into sentences in the language of the book. */

import { SEPARATOR } from './moves';
import type { Book, Card } from './protocol';

/** A part of a sentence: text, or something with a symbol or markup of its own. */
export type Part = string | { card: Card } | { suit: string } | { seat: string };
export type Facts = Record<string, unknown>;

/** The most specific template for these facts: "draw, cards" is used for a draw of which the cards are known. */
export function templateOf(templates: Record<string, string>, kind: string, facts: Facts): string | undefined {
  let key = kind;
  for (const [fact, value] of Object.entries(facts)) {
    if (value === null || value === undefined || value === 0 || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    for (const longer of [`${key}, ${fact} ${String(value)}`, `${key}, ${fact}`]) {
      if (Object.hasOwn(templates, longer)) {
        key = longer;
        break;
      }
    }
  }
  return Object.hasOwn(templates, key) ? templates[key] : undefined;
}

/** Words that are the same for all games. */
interface CommonWords {
  nobody: string;
  nothing: string;
  /** Between pairs such as "Anna 3". */
  comma: string;
}

/** The sentences of one game, with the names of its players. */
export class Wording {
  private readonly cards: Map<string, Card>;
  private readonly list: Intl.ListFormat;

  constructor(
    readonly book: Book,
    readonly names: Record<string, string>,
    readonly isFamily: boolean,
    private readonly common: CommonWords,
  ) {
    this.cards = new Map(book.cards.map((card) => [card.id, card]));
    this.list = new Intl.ListFormat(localeOf(book.language), { type: 'conjunction' });
  }

  note(note: Facts): Part[] {
    const card = typeof note.card === 'string' ? this.cards.get(note.card) : undefined;
    return this.fill(this.book.notes, String(note.kind), { seats: this.common.nobody, ...note, text: card?.text ?? '' });
  }

  question(question: Facts): Part[] {
    return this.fill(this.book.questions, String(question.kind), question);
  }

  caption(field: string, facts: Facts): Part[] {
    return this.fill(this.book.captions, field, facts);
  }

  refusal(rule: string, facts: Facts): Part[] {
    return this.fill(this.book.refusals, rule, facts);
  }

  /** A move, or a word of one. */
  move(move: string): Part[] {
    return this.factParts(move);
  }

  card(id: string): Card | undefined {
    return this.cards.get(id);
  }

  nameOf(card: Card): string {
    return this.isFamily && card.mild ? card.mild : card.name;
  }

  /** The text with the mild names of rude cards, where the family setting is on. */
  mild(text: string): string {
    if (!this.isFamily) return text;
    let out = text;
    for (const card of this.book.cards) {
      const mild = card.mild;
      if (mild) out = out.replaceAll(new RegExp(`${escapeRegExp(card.name)}|${escapeRegExp(card.id)}`, 'giu'), (rude) => matchCase(rude, mild));
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

  private fill(templates: Record<string, string>, kind: string, facts: Facts): Part[] {
    return this.sentence(templateOf(templates, kind, facts) ?? '', facts);
  }

  private sentence(template: string, facts: Facts): Part[] {
    const parts: Part[] = [];
    for (const piece of template.split(/(\{\w+\})/)) {
      const fact = /^\{(\w+)\}$/.exec(piece)?.[1];
      if (fact === undefined) parts.push(this.mild(piece));
      else if (fact === 'text') parts.push(this.mild(String(facts.text ?? '')));
      else parts.push(...this.factParts(facts[fact]));
    }
    return merged(parts);
  }

  private factParts(value: unknown): Part[] {
    if (Array.isArray(value)) return this.listParts(value.map((one) => this.factParts(one)));
    if (value !== null && typeof value === 'object') {
      const pairs = Object.entries(value).map(([key, one]) => [...this.factParts(key), ' ', ...this.factParts(one)]);
      return pairs.flatMap((pair, index) => (index ? [this.common.comma, ...pair] : pair));
    }
    if (typeof value === 'number') return [withMinusSign(value)];
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
    if (word.includes(SEPARATOR)) return this.listParts(word.split(SEPARATOR).map((one) => this.word(one)));
    return [word];
  }

  private listParts(items: Part[][]): Part[] {
    if (items.length === 0) return [this.common.nothing];
    const indices = items.map((_, index) => String(index)); // stand for the items while the list is formatted
    return this.list.formatToParts(indices).flatMap((part) => (part.type === 'element' ? (items[Number(part.value)] ?? []) : [part.value]));
  }
}

/** Joins neighbouring texts. */
function merged(parts: Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part;
    else if (part !== '') out.push(part);
  }
  return out;
}

export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The mild word, with a capital where the rude one had one. */
function matchCase(rude: string, mild: string): string {
  const first = rude.charAt(0);
  return first !== first.toLowerCase() ? mild.charAt(0).toUpperCase() + mild.slice(1) : mild;
}

/** British English: no comma before "and", and the day before the month. */
export function localeOf(language: string): string {
  return language === 'en' ? 'en-GB' : language;
}

/** The number or rank with a real minus sign instead of a hyphen. */
export function withMinusSign(value: number | string): string {
  return String(value).replace(/^-(?=\d)/, '−');
}
