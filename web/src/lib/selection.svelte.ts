/** What a player has selected to answer a question, and how it is sent. */

import { untrack } from 'svelte';
import { denialText } from './labels';
import { SEPARATOR, continuations, controlsOf, hasCompoundMoves, moveOf, wordsIn } from './moves';
import type { Ask } from './protocol';
import { cardsLeft } from './roles';
import { settings } from './settings.svelte';
import type { Table } from './table.svelte';
import { ownHand } from './view';
import type { Part, Wording } from './wording';

/** Why a move was refused. */
interface Refused {
  rule: string;
  parts: Part[];
  text: string;
}

/** Must be created while a component is initialised: its effects live as long as that component. */
export class Selection {
  selected: string[] = $state.raw([]);
  refusal: Refused | null = $state.raw(null);
  /** How many questions this page has answered. */
  answers = $state(0);
  /** What the server says about a selection, where it has not listed all moves. */
  private choices: { selected: string[]; words: string[]; isComplete: boolean } | null = $state.raw(null);
  /** Cards that were selected together but are asked for one by one: those still to be sent, and the kind of question. */
  private unsent: { words: string[]; kind: string } | null = null;

  private readonly hand = $derived.by(() => ownHand(this.wording().book, this.table().scene?.view ?? {}));
  readonly ask: Ask | null = $derived.by(() => this.table().asking);
  readonly controls = $derived.by(() => {
    if (!this.ask) return null;
    return controlsOf(this.ask, this.wording().book, this.hand, Object.keys(this.table().names));
  });

  /** The words that can be added to the selection; null while nothing is asked. */
  readonly playable: Set<string> | null = $derived.by(() => {
    if (!this.ask) return null;
    if (!hasCompoundMoves(this.ask)) return new Set(wordsIn(this.ask)); // eslint-disable-line svelte/prefer-svelte-reactivity -- it is never changed
    if (this.ask.moves.length > 0) return continuations(this.ask, this.selected);
    return new Set(this.choices?.words ?? this.ask.words ?? []); // eslint-disable-line svelte/prefer-svelte-reactivity -- it is never changed
  });

  /** How many cards are asked for, one after the other. */
  private readonly cardsAsked: number = $derived.by(() => (this.ask && !hasCompoundMoves(this.ask) ? cardsLeft(this.ask.question) : 1));

  /** Whether the selection can be played as it is. */
  readonly isComplete: boolean = $derived.by(() => {
    if (!this.ask || this.selected.length === 0) return false;
    if (this.cardsAsked > 1) return true;
    if (this.ask.moves.length > 0) return moveOf(this.ask, this.selected) !== undefined;
    return this.choices?.selected === this.selected && this.choices.isComplete;
  });

  /** Whether the question is about one's own hand, and not only about something else that can be tapped. */
  readonly isAboutHand: boolean = $derived.by(() => {
    const all = this.controls;
    return !!all && (all.hand.length > 0 || all.cards.length + all.seats.length + all.suits.length + all.numbers.length === 0);
  });

  constructor(
    private readonly table: () => Table,
    private readonly wording: () => Wording,
  ) {
    // A new question: what was selected for the previous one is void.
    const since = $derived(this.ask?.since ?? -1);
    $effect(() => {
      void since;
      this.selected = [];
      this.choices = null;
      this.refusal = null;
      untrack(() => this.sendNext());
    });
    $effect(() => {
      if (this.selected.length === 0) this.choices = null;
      else if (this.ask?.moves.length === 0) void this.fetchChoices(this.ask, this.selected);
    });
  }

  /** Something was tapped, whether it can be played or not. */
  pick(word: string): void {
    this.table().skipWait();
    if (this.table().sending !== null || (this.table().scene?.ask && !this.ask)) return;
    this.refusal = null;
    if (!this.ask) void this.explain(word);
    else if (!hasCompoundMoves(this.ask)) this.pickSingle(word);
    else if (this.areAllSelected(word)) this.deselect(word);
    else if (!this.playable?.has(word)) void this.explain([...this.selected, word].join(SEPARATOR));
    else this.pickForCompound(word);
  }

  /** Answers with the selection. */
  play(): void {
    if (!this.ask || this.table().sending !== null) return;
    if (this.cardsAsked > 1) {
      this.unsent = { words: this.selected, kind: String(this.ask.question.kind) };
      this.sendNext();
    } else void this.send(this.ask.moves.length > 0 ? (moveOf(this.ask, this.selected) ?? '') : this.selected.join(SEPARATOR));
  }

  clear(): void {
    this.selected = [];
  }

  private pickSingle(word: string): void {
    if (!this.playable?.has(word)) void this.explain(word);
    else if (this.cardsAsked > 1 && this.wording().card(word)) this.pickOneOfSeveral(word);
    else if (settings.confirm && this.hand.includes(word) && !this.selected.includes(word)) this.selected = [word];
    else void this.send(word);
  }

  private pickOneOfSeveral(word: string): void {
    if (this.areAllSelected(word)) this.deselect(word);
    else if (this.selected.length < this.cardsAsked) this.selected = [...this.selected, word];
  }

  /** Sends the next of several cards, if it is still an answer to what is asked. */
  private sendNext(): void {
    if (!this.ask || !this.unsent) return;
    const [next, ...others] = this.unsent.words;
    const isAnswer = next !== undefined && this.unsent.kind === this.ask.question.kind && this.ask.moves.includes(next);
    this.unsent = isAnswer ? { ...this.unsent, words: others } : null;
    if (isAnswer) void this.send(next);
  }

  /** A word that is no card, such as "pass", is a move of its own. */
  private pickForCompound(word: string): void {
    const isCard = this.wording().card(word) !== undefined;
    if (!isCard && this.selected.length === 0) void this.send(word);
    else this.selected = [...this.selected, word];
  }

  /** Whether every copy of this card is selected: then another tap deselects one. */
  private areAllSelected(word: string): boolean {
    const held = this.hand.filter((card) => card === word).length;
    return this.selected.filter((one) => one === word).length >= Math.max(1, held);
  }

  private deselect(word: string): void {
    this.selected = this.selected.toSpliced(this.selected.indexOf(word), 1);
  }

  private async fetchChoices(ask: Ask, selected: string[]): Promise<void> {
    const answer = await this.table().send({ kind: 'choose', since: ask.since, words: selected });
    if (answer.kind !== 'choices' || ask !== this.ask || selected !== this.selected) return;
    this.choices = { selected, words: answer.words, isComplete: answer.enough };
  }

  private async send(move: string): Promise<void> {
    const answer = await this.table().play(move);
    if (answer.kind === 'done') this.answers += 1;
    if (answer.kind !== 'denied') return;
    this.selected = [];
    this.unsent = null;
    const text = denialText(answer.code, answer.text);
    this.refusal = answer.rule ? this.refused(answer.rule, answer.facts ?? {}, answer.text) : { rule: '', parts: [], text };
  }

  /** Asks the server why a move is not allowed. */
  private async explain(move: string): Promise<void> {
    const answer = await this.table().send({ kind: 'why', move });
    if (answer.kind === 'because' && answer.rule) this.refusal = this.refused(answer.rule, answer.facts ?? {}, answer.text ?? '');
  }

  private refused(rule: string, facts: Record<string, unknown>, text: string): Refused {
    return { rule, parts: this.wording().refusal(rule, facts), text };
  }
}
