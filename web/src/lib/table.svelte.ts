/** A table as this page knows it: what the server has told, and how much of that is shown already. */

import { Connection, hex, type Answer, type Heard, type Message, type Progress, type Standing } from './connection';
import type { Ask, GameNews, Line, Seat, TableState } from './protocol';
import { remember, sitAt, type Promised } from './commitments';
import { isStill, settings, type Motion } from './settings.svelte';
import { SCORE, TRICK, lastTrick, type Note, type Trick, type View } from './view';

/** The game at one moment, as it is shown. */
export interface Scene {
  number: number;
  view: View;
  told: Record<string, Note[]>;
  history: Note[];
  asked: Seat[];
  answered: number;
  ask: Ask | null;
  /** When the time of whoever is asked is over, on the clock of this page. */
  due: number | null;
  turn: number;
  /** The trick that has just been finished, for as long as it lies there. */
  finished: Trick | null;
}

/** How long each event is shown, and a finished trick, in milliseconds. */
export const STEP: Record<Motion, number> = { slow: 1400, normal: 700, fast: 300, none: 0 };
export const TRICK_STAYS: Record<Motion, number> = { slow: 3200, normal: 1900, fast: 900, none: 900 };
/** And the score sheet at the end of a round, before the next one goes on. */
export const SHEET_STAYS: Record<Motion, number> = { slow: 12_000, normal: 8000, fast: 4000, none: 900 };
/** When so many events wait, they are no longer shown one by one. */
const TOO_MANY = 12;
const MOST_SAID = 60;

export class Table {
  standing: Standing = $state('connecting');
  /** Why the connection was lost or has ended, as the server calls it. */
  trouble: string = $state('');
  table: TableState | null = $state.raw(null);
  you: Seat | null = $state(null);
  here: Seat[] = $state.raw([]);
  watching: number = $state(0);
  said: Line[] = $state.raw([]);
  scene: Scene | null = $state.raw(null);
  /** The answer that has been sent and not been acknowledged yet. */
  sending: string | null = $state(null);
  /** The question that has been answered; it is still shown until the news of it comes. */
  answered: number = $state(-1);
  /** Called before another scene is shown, so that cards can be seen to move. */
  onscene: ((before: Scene, after: Scene) => void) | null = null;

  private readonly connection: Connection;
  private version = 0;
  private number = 0;
  private history: Note[] = [];
  private readonly queue: Scene[] = [];
  private pumping = false;
  private skip: (() => void) | null = null;
  private lucky = 0;
  /** Raised when all that waits to be shown is of no use any more. */
  private era = 0;
  private shownAt = 0;
  /** Whether the next event waits only so that the one before can be seen. */
  private isBetween = false;

  constructor(
    readonly id: string,
    invite: string,
    open: () => WebSocket = () => new WebSocket(socketAddress(id)),
  ) {
    this.connection = new Connection(
      {
        progress: () => this.progress(),
        heard: (message) => this.heard(message),
        stood: (standing, why) => {
          this.standing = standing;
          this.trouble = why;
        },
      },
      invite,
      open,
    );
  }

  start(): void {
    this.connection.start();
  }

  wake(): void {
    this.connection.wake();
  }

  close(): void {
    this.clearQueue();
    this.connection.close();
  }

  send(message: Message): Promise<Answer> {
    return this.connection.send(message);
  }

  /** Answers what is asked; gives the refusal if it is refused. */
  async play(move: string): Promise<Answer> {
    const ask = this.scene?.ask;
    if (!ask) throw new Error('Nothing is asked.');
    this.sending = move;
    try {
      const answer = await this.send({ kind: 'play', since: ask.since, move });
      if (answer.kind === 'done') this.accepted(ask.since);
      return answer;
    } finally {
      this.sending = null;
    }
  }

  /** The names of those who sit here, by seat. */
  get names(): Record<string, string> {
    const chairs = this.table?.chairs ?? [];
    return Object.fromEntries(chairs.filter((chair) => chair.kind !== 'closed').map((chair) => [chair.seat, chair.name || chair.seat]));
  }

  /** What is asked, until this page has answered it. */
  get asking(): Ask | null {
    const ask = this.scene?.ask ?? null;
    return ask?.since === this.answered ? null : ask;
  }

  get isHost(): boolean {
    return this.table?.chairs.some((chair) => chair.seat === this.you && chair.host === true) ?? false;
  }

  /** What is being looked at has been seen. */
  hurry(): void {
    this.skip?.();
  }

  private progress(): Progress {
    return { number: this.number, version: this.version, noted: this.history.length };
  }

  private heard(message: Heard): void {
    if (message.kind === 'welcome') this.welcomed(message);
    else if (message.kind === 'event') this.happened(message);
    else {
      this.here = message.seats;
      this.watching = message.watching ?? 0;
    }
  }

  private welcomed(message: Extract<Heard, { kind: 'welcome' }>): void {
    this.version = message.version;
    this.table = message.table;
    this.you = message.you ?? null;
    this.here = message.here;
    this.said = message.said ?? [];
    this.clearQueue();
    this.answered = -1;
    const game = message.game;
    this.number = game ? game.number : message.table.number;
    this.history = game ? game.notes : [];
    this.scene = game?.view ? this.sceneOf(game) : null;
    this.shownAt = 0;
    this.giveLuck();
  }

  private happened(event: Extract<Heard, { kind: 'event' }>): void {
    if (event.version <= this.version) return; // delivered twice
    this.version = event.version;
    if (event.table) this.table = event.table;
    if (event.line) this.said = [...this.said, event.line].slice(-MOST_SAID);
    if (event.what === 'reopened') this.cleared();
    if (event.game) this.news(event.game);
    this.giveLuck();
  }

  /** The next game at this table is being prepared. */
  private cleared(): void {
    this.number = this.table?.number ?? this.number + 1;
    this.history = [];
    this.scene = null;
    this.answered = -1;
    this.shownAt = 0;
    this.clearQueue();
  }

  private clearQueue(): void {
    this.queue.length = 0;
    this.era += 1;
    this.skip?.();
  }

  /** One's own move is shown at once. */
  private accepted(since: number): void {
    this.answered = since;
    this.shownAt = 0;
    if (this.isBetween) this.skip?.(); // but a trick stays that it has finished
  }

  private news(game: GameNews): void {
    if (game.number !== this.number) {
      this.number = game.number;
      this.history = [];
      this.answered = -1;
    }
    const known = this.history.slice(0, game.first);
    this.history = [...known, ...game.notes];
    if (!game.view) return; // it comes with later news
    const scene = this.sceneOf(game);
    if (game.notes.some((note) => note.kind === TRICK)) scene.finished = lastTrick(this.history);
    this.queue.push(scene);
    if (document.hidden) this.skip?.();
    void this.pump();
  }

  private sceneOf(game: GameNews): Scene {
    return {
      number: game.number,
      view: game.view ?? {},
      told: game.told ?? {},
      history: this.history,
      asked: game.asked ?? [],
      answered: game.answered ?? 0,
      ask: game.ask ?? null,
      due: game.seconds == null ? null : Date.now() + game.seconds * 1000,
      turn: game.turn ?? 0,
      finished: null,
    };
  }

  /** Shows what has happened, one event after the other, so that each can be seen. */
  private async pump(): Promise<void> {
    if (this.pumping) return;
    this.pumping = true;
    try {
      for (let scene = this.queue.shift(); scene; scene = this.queue.shift()) {
        const era = this.era;
        const wait = isStill() ? 0 : this.shownAt + STEP[settings.motion] - Date.now();
        this.isBetween = true;
        if (wait > 0) await this.pause(wait);
        this.isBetween = false;
        if (era !== this.era) continue;
        const isRoundOver = scene.history.slice(this.scene?.history.length ?? 0).some((note) => note.kind === SCORE);
        this.show(scene);
        if (scene.finished) {
          if (document.hidden) await this.seen();
          await this.pause(TRICK_STAYS[settings.motion]);
          if (this.scene === scene) this.show({ ...scene, finished: null });
        }
        if (isRoundOver && !scene.view.over && !scene.ask) await this.pause(SHEET_STAYS[settings.motion]);
      }
    } finally {
      this.pumping = false;
    }
  }

  private show(scene: Scene): void {
    const before = this.scene;
    const isQuiet = this.queue.length > TOO_MANY || isStill() || document.hidden;
    if (before && !isQuiet) this.onscene?.(before, scene);
    this.scene = scene;
    this.shownAt = Date.now();
  }

  private pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || this.queue.length > TOO_MANY || document.hidden) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.skip = null;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.skip = done;
    });
  }

  /** Resolves when somebody can see the page again, or when there is more to show. */
  private seen(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        document.removeEventListener('visibilitychange', look);
        this.skip = null;
        resolve();
      };
      const look = (): void => {
        if (!document.hidden) done();
      };
      document.addEventListener('visibilitychange', look);
      this.skip = done;
    });
  }

  /** Adds this page's own random bytes to the deal, once for each game, and remembers what was promised. */
  private giveLuck(): void {
    const table = this.table;
    if (!table || !this.you || table.phase === 'closed') return;
    const fair = table.fair;
    if (table.phase === 'playing') sitAt(this.id, fair.number, this.you);
    if (fair.number <= this.lucky || fair.secret || fair.bytes?.[this.you]) return;
    if (table.phase !== 'open' && table.phase !== 'starting') return;
    this.lucky = fair.number;
    const bytes = hex(crypto.getRandomValues(new Uint8Array(16)));
    void this.giveBytes(fair.number, { commitment: fair.commitment, seat: this.you, bytes });
  }

  /** What the table has not taken (another tab of this seat may have been faster) is not remembered as given. */
  private async giveBytes(number: number, promised: Promised): Promise<void> {
    remember(this.id, number, { ...promised, bytes: '' });
    const answer = await this.send({ kind: 'luck', number, bytes: promised.bytes });
    if (answer.kind === 'done') remember(this.id, number, { ...promised, seat: this.you ?? promised.seat });
  }
}

export function socketAddress(table: string): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${location.host}/api/tables/${table}/socket`;
}
