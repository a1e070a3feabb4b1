/** What somebody who is asked has chosen so far, and what becomes of it. */

import { untrack } from 'svelte';
import { reasonOf } from './labels';
import { SEPARATOR, controlsOf, goingOn, isSeveral, moveOf, wordsIn } from './moves';
import type { Ask } from './protocol';
import { settings } from './settings.svelte';
import type { Table } from './table.svelte';
import { handOf } from './view';
import type { Part, Wording } from './wording';

/** Why a move was not made. */
export interface Refused {
  rule: string;
  parts: Part[];
  text: string;
}

/** To be made while a component is: it follows the table for as long as that is shown. */
export class Choosing {
  chosen: string[] = $state.raw([]);
  refusal: Refused | null = $state.raw(null);
  /** How often this page has answered. */
  answers = $state(0);
  /** What the server says of the words chosen, where it has not listed all moves. */
  private further: { of: string[]; words: string[]; enough: boolean } | null = $state.raw(null);

  /** Cards that were chosen together and are asked for one by one: what is still to be said, and in answer to what. */
  private rest: { words: string[]; kind: string } | null = null;

  private readonly hand = $derived.by(() => handOf(this.table().scene?.view ?? {}));
  readonly ask: Ask | null = $derived.by(() => this.table().asking);
  readonly controls = $derived.by(() => {
    if (!this.ask) return null;
    return controlsOf(this.ask, this.wording().book, this.hand, Object.keys(this.table().names));
  });

  /** What goes with what is chosen; null while nothing is asked. */
  readonly playable: Set<string> | null = $derived.by(() => {
    if (!this.ask) return null;
    if (!isSeveral(this.ask)) return new Set(wordsIn(this.ask)); // eslint-disable-line svelte/prefer-svelte-reactivity -- it is never changed
    if (this.ask.moves.length > 0) return goingOn(this.ask, this.chosen);
    return new Set(this.further?.words ?? this.ask.words ?? []); // eslint-disable-line svelte/prefer-svelte-reactivity -- it is never changed
  });

  /** How many cards are asked for, one after the other. */
  private readonly wanted: number = $derived.by(() => {
    const left = this.ask?.question.left;
    return this.ask && !isSeveral(this.ask) && typeof left === 'number' ? left : 1;
  });

  /** Whether what is chosen can be played as it is. */
  readonly enough: boolean = $derived.by(() => {
    if (!this.ask || this.chosen.length === 0) return false;
    if (this.wanted > 1) return true;
    return this.ask.moves.length > 0 ? moveOf(this.ask, this.chosen) !== undefined : this.further?.of === this.chosen && this.further.enough;
  });

  /** Whether the question is about the own hand, and not only about something else that can be chosen. */
  readonly isAboutHand: boolean = $derived.by(() => {
    const all = this.controls;
    return !!all && (all.hand.length > 0 || all.cards.length + all.seats.length + all.suits.length + all.numbers.length === 0);
  });

  constructor(
    private readonly table: () => Table,
    private readonly wording: () => Wording,
  ) {
    // A new question: whatever was chosen for another one is gone.
    const since = $derived(this.ask?.since ?? -1);
    $effect(() => {
      void since;
      this.chosen = [];
      this.further = null;
      this.refusal = null;
      untrack(() => this.sayRest());
    });
    // Where the moves are not listed, the server says what goes with what is chosen.
    $effect(() => {
      if (this.chosen.length === 0) this.further = null;
      else if (this.ask?.moves.length === 0) void this.lookFurther(this.ask, this.chosen);
    });
  }

  /** A tap on something that can be chosen, or cannot. */
  pick(word: string): void {
    this.table().hurry();
    if (this.table().sending !== null || (this.table().scene?.ask && !this.ask)) return;
    this.refusal = null;
    if (!this.ask) void this.why(word);
    else if (!isSeveral(this.ask)) this.pickOne(word);
    else if (this.isAllChosen(word)) this.takeBack(word);
    else if (!this.playable?.has(word)) void this.why([...this.chosen, word].join(SEPARATOR));
    else this.pickOneMore(word);
  }

  /** Answers with what is chosen. */
  play(): void {
    if (!this.ask || this.table().sending !== null) return;
    if (this.wanted > 1) {
      this.rest = { words: this.chosen, kind: String(this.ask.question.kind) };
      this.sayRest();
    } else void this.say(this.ask.moves.length > 0 ? (moveOf(this.ask, this.chosen) ?? '') : this.chosen.join(SEPARATOR));
  }

  clear(): void {
    this.chosen = [];
  }

  private pickOne(word: string): void {
    if (!this.playable?.has(word)) void this.why(word);
    else if (this.wanted > 1 && this.wording().card(word)) this.pickOfMany(word);
    else if (settings.confirm && this.hand.includes(word) && !this.chosen.includes(word)) this.chosen = [word];
    else void this.say(word);
  }

  private pickOfMany(word: string): void {
    if (this.isAllChosen(word)) this.takeBack(word);
    else if (this.chosen.length < this.wanted) this.chosen = [...this.chosen, word];
  }

  /** The next of several cards, if it is still what is asked for. */
  private sayRest(): void {
    if (!this.ask || !this.rest) return;
    const [next, ...others] = this.rest.words;
    const isMeant = next !== undefined && this.rest.kind === this.ask.question.kind && this.ask.moves.includes(next);
    this.rest = isMeant ? { ...this.rest, words: others } : null;
    if (isMeant) void this.say(next);
  }

  /** What can stand only alone is said at once. */
  private pickOneMore(word: string): void {
    const isCard = this.wording().card(word) !== undefined;
    if (!isCard && this.chosen.length === 0) void this.say(word);
    else this.chosen = [...this.chosen, word];
  }

  /** Whether every card of this name is chosen: another tap takes one back. */
  private isAllChosen(word: string): boolean {
    const held = this.hand.filter((card) => card === word).length;
    return this.chosen.filter((one) => one === word).length >= Math.max(1, held);
  }

  private takeBack(word: string): void {
    this.chosen = this.chosen.toSpliced(this.chosen.indexOf(word), 1);
  }

  private async lookFurther(ask: Ask, chosen: string[]): Promise<void> {
    const answer = await this.table().send({ kind: 'choose', since: ask.since, words: chosen });
    if (answer.kind !== 'choices' || ask !== this.ask || chosen !== this.chosen) return;
    this.further = { of: chosen, words: answer.words, enough: answer.enough };
  }

  private async say(move: string): Promise<void> {
    const answer = await this.table().play(move);
    if (answer.kind === 'done') this.answers += 1;
    if (answer.kind !== 'denied') return;
    this.chosen = [];
    this.rest = null;
    const text = reasonOf(answer.code, answer.text);
    this.refusal = answer.rule ? this.refused(answer.rule, answer.facts ?? {}, answer.text) : { rule: '', parts: [], text };
  }

  private async why(move: string): Promise<void> {
    const answer = await this.table().send({ kind: 'why', move });
    if (answer.kind === 'because' && answer.rule) this.refusal = this.refused(answer.rule, answer.facts ?? {}, answer.text ?? '');
  }

  private refused(rule: string, facts: Record<string, unknown>, text: string): Refused {
    return { rule, parts: this.wording().refusal(rule, facts), text };
  }
}
