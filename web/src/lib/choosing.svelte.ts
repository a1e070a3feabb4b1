/** What somebody who is asked has chosen so far, and what becomes of it. */

import { reasonOf } from './labels';
import { SEPARATOR, controlsOf, goingOn, isSeveral, moveOf, wordsIn } from './moves';
import type { Ask } from './protocol';
import { settings } from './settings.svelte';
import type { Table } from './table.svelte';
import { handOf } from './view';
import type { Part, Wording } from './words';

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
  private further: { words: string[]; enough: boolean } | null = $state.raw(null);

  private readonly hand = $derived.by(() => handOf(this.table().scene?.view ?? {}));
  readonly ask: Ask | null = $derived.by(() => this.table().scene?.ask ?? null);
  readonly controls = $derived.by(() => {
    if (!this.ask) return null;
    return controlsOf(this.ask, this.wording().book, this.hand, Object.keys(this.table().names));
  });

  /** What goes with what is chosen; null while nothing is asked. */
  readonly playable: Set<string> | null = $derived.by(() => {
    if (!this.ask) return null;
    if (!isSeveral(this.ask)) return new Set(wordsIn(this.ask));
    if (this.ask.moves.length > 0) return goingOn(this.ask, this.chosen);
    return new Set(this.further?.words ?? this.ask.words ?? []);
  });

  /** Whether what is chosen can be played as it is. */
  readonly enough: boolean = $derived.by(() => {
    if (!this.ask || this.chosen.length === 0) return false;
    return this.ask.moves.length > 0 ? moveOf(this.ask, this.chosen) !== undefined : (this.further?.enough ?? false);
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
    });
    // Where the moves are not listed, the server says what goes with what is chosen.
    $effect(() => {
      if (this.ask && this.ask.moves.length === 0) void this.lookFurther(this.ask, this.chosen);
    });
  }

  /** A tap on something that can be chosen, or cannot. */
  pick(word: string): void {
    this.table().hurry();
    if (this.table().sending !== null) return;
    this.refusal = null;
    if (!this.ask) void this.why(word);
    else if (!isSeveral(this.ask)) this.pickOne(word);
    else if (this.isAllChosen(word)) this.chosen = this.chosen.toSpliced(this.chosen.indexOf(word), 1);
    else if (!this.playable?.has(word)) void this.why([...this.chosen, word].join(SEPARATOR));
    else this.pickOneMore(word);
  }

  /** Answers with what is chosen. */
  play(): void {
    if (!this.ask || this.table().sending !== null) return;
    void this.say(this.ask.moves.length > 0 ? (moveOf(this.ask, this.chosen) ?? '') : this.chosen.join(SEPARATOR));
  }

  clear(): void {
    this.chosen = [];
  }

  private pickOne(word: string): void {
    if (!this.playable?.has(word)) void this.why(word);
    else if (settings.confirm && this.hand.includes(word) && !this.chosen.includes(word)) this.chosen = [word];
    else void this.say(word);
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

  private async lookFurther(ask: Ask, chosen: string[]): Promise<void> {
    const answer = await this.table().send({ kind: 'choose', since: ask.since, words: chosen });
    if (answer.kind !== 'choices' || ask !== this.ask || chosen !== this.chosen) return;
    this.further = { words: answer.words, enough: answer.enough ?? false };
  }

  private async say(move: string): Promise<void> {
    const answer = await this.table().play(move);
    if (answer.kind === 'done') this.answers += 1;
    if (answer.kind !== 'denied') return;
    this.chosen = [];
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
