/** A table as this page knows it: what the server has sent, and how much of that is shown already. */

import { saveCommitment, updateSeat, type SavedCommitment } from './commitments';
import { Connection, randomHex, type Answer, type ConnectionState, type Message, type Progress, type ServerUpdate } from './connection';
import { hasRole, type NoteRoles } from './roles';
import type { Ask, GameNews, Line, Seat, TableState } from './protocol';
import { isMotionOff, settings, type Motion } from './settings.svelte';
import { lastTrick, type Note, type Trick, type View } from './view';

/** The game at one moment, as it is shown. */
export interface Scene {
  number: number;
  view: View;
  told: Record<string, Note[]>;
  history: Note[];
  asked: Seat[];
  answered: number;
  ask: Ask | null;
  /** When the time to answer ends, on the clock of this page. */
  due: number | null;
  turn: number;
  /** The trick that has just been finished, for as long as it stays on the table. */
  finished: Trick | null;
}

/** For how many milliseconds an event is shown before the next one. */
export const EVENT_TIME: Record<Motion, number> = { slow: 1400, normal: 700, fast: 300, none: 0 };
export const TRICK_TIME: Record<Motion, number> = { slow: 3200, normal: 1900, fast: 900, none: 900 };
/** For how long the score sheet is shown at the end of a round. */
const SCORE_TIME: Record<Motion, number> = { slow: 12_000, normal: 8000, fast: 4000, none: 900 };
/** If more events than this are waiting, they are shown without pauses. */
const MAX_WAITING = 12;
const MAX_CHAT_LINES = 60;

export class Table {
  connectionState: ConnectionState = $state('connecting');
  /** Why the connection was lost or has ended, as the server's code. */
  connectionProblem: string = $state('');
  table: TableState | null = $state.raw(null);
  you: Seat | null = $state(null);
  here: Seat[] = $state.raw([]);
  spectators: number = $state(0);
  chat: Line[] = $state.raw([]);
  scene: Scene | null = $state.raw(null);
  /** The move that has been sent and not been acknowledged yet. */
  sending: string | null = $state(null);
  /** The question that has been answered; the scene shows it until the next scene comes. */
  answered: number = $state(-1);
  /** Called before another scene is shown, so that cards can be animated. */
  onscene: ((before: Scene, after: Scene) => void) | null = null;
  /** Set when the book is loaded; before that, nothing of the game is shown. */
  noteRoles: NoteRoles = {};

  private readonly connection: Connection;
  private version = 0;
  private number = 0;
  private history: Note[] = [];
  private readonly queue: Scene[] = [];
  private isShowing = false;
  /** Ends the current pause. */
  private endPause: (() => void) | null = null;
  /** The last game to which this page has given random bytes. */
  private bytesGivenFor = 0;
  /** Raised when the queue is cleared, so that a scene that was already taken from it is dropped. */
  private generation = 0;
  private shownAt = 0;
  /** Whether the pause is one between two events, and not one for a finished trick or a score sheet. */
  private isBetweenEvents = false;

  constructor(
    readonly id: string,
    invite: string,
    open: () => WebSocket = () => new WebSocket(socketAddress(id)),
  ) {
    this.connection = new Connection(
      {
        progress: () => this.progress(),
        onUpdate: (update) => this.onUpdate(update),
        onState: (state, reason) => {
          this.connectionState = state;
          this.connectionProblem = reason;
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

  /** Answers the current question. */
  async play(move: string): Promise<Answer> {
    const ask = this.scene?.ask;
    if (!ask) throw new Error('Nothing is asked.');
    this.sending = move;
    try {
      const answer = await this.send({ kind: 'play', since: ask.since, move });
      if (answer.kind === 'done') this.onAccepted(ask.since);
      return answer;
    } finally {
      this.sending = null;
    }
  }

  /** The names of the players, by seat. */
  get names(): Record<string, string> {
    const chairs = this.table?.chairs ?? [];
    return Object.fromEntries(chairs.filter((chair) => chair.kind !== 'closed').map((chair) => [chair.seat, chair.name || chair.seat]));
  }

  /** The question that this page has not answered yet. */
  get asking(): Ask | null {
    const ask = this.scene?.ask ?? null;
    return ask?.since === this.answered ? null : ask;
  }

  get isHost(): boolean {
    return this.table?.chairs.some((chair) => chair.seat === this.you && chair.host === true) ?? false;
  }

  /** Shows the next scene without waiting any longer. */
  skipWait(): void {
    this.endPause?.();
  }

  private progress(): Progress {
    return { number: this.number, version: this.version, noted: this.history.length };
  }

  private onUpdate(update: ServerUpdate): void {
    if (update.kind === 'welcome') this.onWelcome(update);
    else if (update.kind === 'event') this.onEvent(update);
    else {
      this.here = update.seats;
      this.spectators = update.watching ?? 0;
    }
  }

  private onWelcome(welcome: Extract<ServerUpdate, { kind: 'welcome' }>): void {
    this.version = welcome.version;
    this.table = welcome.table;
    this.you = welcome.you ?? null;
    this.here = welcome.here;
    this.chat = welcome.said ?? [];
    this.clearQueue();
    this.answered = -1;
    const game = welcome.game;
    this.number = game ? game.number : welcome.table.number;
    this.history = game ? game.notes : [];
    this.scene = game?.view ? this.sceneOf(game) : null;
    this.shownAt = 0;
    this.giveRandomBytes();
  }

  private onEvent(event: Extract<ServerUpdate, { kind: 'event' }>): void {
    if (event.version <= this.version) return; // delivered twice
    this.version = event.version;
    if (event.table) this.table = event.table;
    if (event.line) this.chat = [...this.chat, event.line].slice(-MAX_CHAT_LINES);
    if (event.what === 'reopened') this.prepareNextGame();
    if (event.game) this.onGameNews(event.game);
    this.giveRandomBytes();
  }

  private prepareNextGame(): void {
    this.number = this.table?.number ?? this.number + 1;
    this.history = [];
    this.scene = null;
    this.answered = -1;
    this.shownAt = 0;
    this.clearQueue();
  }

  private clearQueue(): void {
    this.queue.length = 0;
    this.generation += 1;
    this.endPause?.();
  }

  /** One's own move is shown at once, but a trick that it has finished stays. */
  private onAccepted(since: number): void {
    this.answered = since;
    this.shownAt = 0;
    if (this.isBetweenEvents) this.endPause?.();
  }

  private onGameNews(game: GameNews): void {
    if (game.number !== this.number) {
      this.number = game.number;
      this.history = [];
      this.answered = -1;
    }
    const known = this.history.slice(0, game.first);
    this.history = [...known, ...game.notes];
    if (!game.view) return; // it comes with later news
    const scene = this.sceneOf(game);
    if (game.notes.some((note) => hasRole(note, 'trick ended', this.noteRoles))) scene.finished = lastTrick(this.history, this.noteRoles);
    this.queue.push(scene);
    if (document.hidden) this.endPause?.();
    void this.showQueue();
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

  /** Shows the queued scenes one after the other, each for a while. */
  private async showQueue(): Promise<void> {
    if (this.isShowing) return;
    this.isShowing = true;
    try {
      for (let scene = this.queue.shift(); scene; scene = this.queue.shift()) {
        const generation = this.generation;
        const wait = isMotionOff() ? 0 : this.shownAt + EVENT_TIME[settings.motion] - Date.now();
        this.isBetweenEvents = true;
        if (wait > 0) await this.pause(wait);
        this.isBetweenEvents = false;
        if (generation !== this.generation) continue;
        const newNotes = scene.history.slice(this.scene?.history.length ?? 0);
        const isRoundOver = newNotes.some((note) => hasRole(note, 'scored', this.noteRoles));
        this.show(scene);
        if (scene.finished) {
          if (document.hidden) await this.untilVisible();
          await this.pause(TRICK_TIME[settings.motion]);
          if (this.scene === scene) this.show({ ...scene, finished: null });
        }
        if (isRoundOver && !scene.view.over && !scene.ask) await this.pause(SCORE_TIME[settings.motion]);
      }
    } finally {
      this.isShowing = false;
    }
  }

  private show(scene: Scene): void {
    const before = this.scene;
    const isAnimated = this.queue.length <= MAX_WAITING && !isMotionOff() && !document.hidden;
    if (before && isAnimated) this.onscene?.(before, scene);
    this.scene = scene;
    this.shownAt = Date.now();
  }

  private pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || this.queue.length > MAX_WAITING || document.hidden) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.endPause = null;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.endPause = done;
    });
  }

  /** Resolves when the page is visible again, or when there is more to show. */
  private untilVisible(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        document.removeEventListener('visibilitychange', check);
        this.endPause = null;
        resolve();
      };
      const check = (): void => {
        if (!document.hidden) done();
      };
      document.addEventListener('visibilitychange', check);
      this.endPause = done;
    });
  }

  /** Adds this page's random bytes to the next deal, once for each game, and saves the table's commitment. */
  private giveRandomBytes(): void {
    const table = this.table;
    if (!table || !this.you || table.phase === 'closed') return;
    const fair = table.fair;
    if (table.phase === 'playing') updateSeat(this.id, fair.number, this.you);
    if (fair.number <= this.bytesGivenFor || fair.secret || fair.bytes?.[this.you]) return;
    if (table.phase !== 'open' && table.phase !== 'starting') return;
    this.bytesGivenFor = fair.number;
    void this.sendRandomBytes(fair.number, { commitment: fair.commitment, seat: this.you, bytes: randomHex() });
  }

  /** The bytes are saved only if the table took them: another tab of this seat may have been faster. */
  private async sendRandomBytes(number: number, commitment: SavedCommitment): Promise<void> {
    saveCommitment(this.id, number, { ...commitment, bytes: '' });
    const answer = await this.send({ kind: 'luck', number, bytes: commitment.bytes });
    if (answer.kind === 'done') saveCommitment(this.id, number, { ...commitment, seat: this.you ?? commitment.seat });
  }
}

function socketAddress(table: string): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${location.host}/api/tables/${table}/socket`;
}
