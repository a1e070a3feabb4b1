/** A table as this page knows it: what the server has sent, and how much of that is shown already. */

import { newSeen, savedSeen, saveSeen, withNews, type Seen } from './commitments';
import { Connection, randomHex, type Answer, type ConnectionState, type Message, type Progress, type ServerUpdate } from './connection';
import { HistoryDigests } from './digests';
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
const BEFORE_DEAL = ['open', 'starting'];

export class Table {
  connectionState: ConnectionState = $state('connecting');
  /** Why the connection was lost or has ended, as the server's code. */
  connectionProblem: string = $state('');
  table: TableState | null = $state.raw(null);
  you: Seat | null = $state(null);
  here: Seat[] = $state.raw([]);
  spectators: number = $state(0);
  /** The people who have been away for so long that a bot may be asked to play for them. */
  gone: Seat[] = $state.raw([]);
  chat: Line[] = $state.raw([]);
  scene: Scene | null = $state.raw(null);
  /** The move that has been sent and not been acknowledged yet. */
  sending: string | null = $state(null);
  /** The question that has been answered; the scene shows it until the next scene comes. */
  answered: number = $state(-1);
  /** What is wrong with the random bytes of this device: the table refused them, or the cards were dealt without them. */
  bytesProblem: '' | 'refused' | 'left out' = $state('');
  /** Called before another scene is shown, so that cards can be animated. */
  onscene: ((before: Scene, after: Scene) => void) | null = null;
  /** Set when the book is loaded; before that, nothing of the game is shown. */
  noteRoles: NoteRoles = {};

  private readonly connection: Connection;
  /** Who may act as host now; before the server has said so, the host. */
  private actingHost: Seat | null = $state(null);
  private version = 0;
  private number = 0;
  private history: Note[] = [];
  private readonly digests = new HistoryDigests();
  private readonly queue: Scene[] = [];
  private isShowing = false;
  /** Ends the current pause. */
  private endPause: (() => void) | null = null;
  /** What this device has seen of the current game. */
  private seen: Seen | null = null;
  /** The last game to which this page has given random bytes, and the last one for which they were refused. */
  private bytesGivenFor = 0;
  private bytesRefusedFor = 0;
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
          if (reason === 'removed') this.forgetBytes();
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

  /** Whether this page may act as host: it is the host's, or the host has been away for a while and nobody comes before it. */
  get isActingHost(): boolean {
    return this.you !== null && this.you === this.actingHost;
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
    else if (update.kind === 'sealed') this.onSealed(update.since);
    else {
      this.here = update.seats;
      this.spectators = update.watching ?? 0;
      this.actingHost = update.host ?? null;
      this.gone = update.gone ?? [];
    }
  }

  private onWelcome(welcome: Extract<ServerUpdate, { kind: 'welcome' }>): void {
    this.version = welcome.version;
    this.table = welcome.table;
    if (this.you !== null && !welcome.you) this.forgetBytes();
    this.you = welcome.you ?? null;
    this.here = welcome.here;
    this.actingHost ??= welcome.table.chairs.find((chair) => chair.host)?.seat ?? null;
    this.chat = welcome.said ?? [];
    this.clearQueue();
    this.answered = -1;
    const game = welcome.game;
    this.number = game ? game.number : welcome.table.number;
    this.history = game ? game.notes : [];
    this.digests.replaceFrom(0, this.history);
    this.scene = game?.view ? this.sceneOf(game) : null;
    this.shownAt = 0;
    this.updateSeen(game ?? null);
    this.giveRandomBytes();
  }

  private onEvent(event: Extract<ServerUpdate, { kind: 'event' }>): void {
    if (event.version <= this.version) return; // delivered twice
    this.version = event.version;
    if (event.table) this.table = event.table;
    if (event.line) this.chat = [...this.chat, event.line].slice(-MAX_CHAT_LINES);
    if (event.what === 'reopened') this.prepareNextGame();
    if (event.game) this.onGameNews(event.game);
    this.updateSeen(event.game ?? null);
    this.giveRandomBytes();
  }

  private prepareNextGame(): void {
    this.number = this.table?.number ?? this.number + 1;
    this.history = [];
    this.digests.replaceFrom(0, []);
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

  /** The answer counts when the reaction ends; another tab of this seat may have given it. */
  private onSealed(since: number): void {
    if (since > this.answered) this.onAccepted(since);
  }

  private onGameNews(game: GameNews): void {
    if (game.number !== this.number) {
      this.number = game.number;
      this.history = [];
      this.digests.replaceFrom(0, []);
      this.answered = -1;
    }
    const known = this.history.slice(0, game.first);
    this.history = [...known, ...game.notes];
    this.digests.replaceFrom(game.first, game.notes);
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

  // What this device saw, and its random bytes ----------------------------------------------------

  /** Keeps what the table has shown, so that the record can be checked against it. */
  private updateSeen(news: GameNews | null): void {
    const table = this.table;
    if (!table) return;
    const { number, commitment, secret, bytes } = table.fair;
    // Other tabs of this browser may have seen more.
    let seen = savedSeen(this.id, number) ?? (this.seen?.number === number ? this.seen : null);
    if (!seen && secret) {
      this.bytesProblem = '';
      return; // what is shown together with the secret proves nothing
    }
    seen ??= newSeen(this.id, number, commitment);
    if (this.isBeforeDeal && this.you !== null) {
      const isShown = seen.bytes !== '' && bytes?.[this.you] === seen.bytes;
      seen = { ...seen, seat: this.you, accepted: seen.accepted || isShown };
    }
    if (news?.number === number) seen = withNews(seen, this.you, news, this.digests);
    if (table.phase === 'closed' && seen.seat === this.you) seen = { ...seen, closed: true };
    this.keepSeen(seen);
  }

  private keepSeen(seen: Seen): void {
    this.seen = seen;
    saveSeen(seen);
    this.bytesProblem = this.findBytesProblem(seen);
  }

  private findBytesProblem(seen: Seen): '' | 'refused' | 'left out' {
    const bytes = this.table?.fair.bytes ?? {};
    if (this.you === null || !seen.bytes || Object.values(bytes).includes(seen.bytes)) return '';
    if (!this.isBeforeDeal) return 'left out';
    return this.bytesRefusedFor === seen.number ? 'refused' : '';
  }

  private get isBeforeDeal(): boolean {
    return BEFORE_DEAL.includes(this.table?.phase ?? '');
  }

  /** Adds this device's random bytes to the next deal, once for each game. */
  private giveRandomBytes(): void {
    const fair = this.table?.fair;
    if (!fair || !this.seen || !this.you || !this.isBeforeDeal) return;
    if (fair.number <= this.bytesGivenFor || fair.bytes?.[this.you]) return;
    if (fair.commitment !== this.seen.commitment) return; // it was changed, and could be changed again when the bytes are known
    this.bytesGivenFor = fair.number;
    void this.sendRandomBytes(this.seen);
  }

  /** All tabs of this browser give the same bytes. */
  private async sendRandomBytes(seen: Seen): Promise<void> {
    const { number } = seen;
    const bytes = seen.bytes || randomHex();
    this.keepSeen({ ...seen, bytes, accepted: false });
    const answer = await this.send({ kind: 'luck', number, bytes });
    if (answer.kind === 'denied') this.bytesRefusedFor = number;
    const now = this.seen;
    if (now?.number === number && now.bytes === bytes) this.keepSeen({ ...now, accepted: now.accepted || answer.kind === 'done' });
  }

  /** The table drops the bytes of somebody who gives up the seat before the deal. */
  private forgetBytes(): void {
    if (this.seen && this.isBeforeDeal && this.seen.number === this.table?.fair.number) this.keepSeen({ ...this.seen, seat: null, bytes: '', accepted: false });
  }
}

function socketAddress(table: string): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${location.host}/api/tables/${table}/socket`;
}
