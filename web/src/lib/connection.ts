/** The WebSocket connection to a table: it reconnects by itself, and every message sent takes effect exactly once. */

import type { FromClient, FromServer } from './protocol';

/** A message without its id, for each member of the union. */
type WithoutId<M> = M extends { id: string } ? Omit<M, 'id'> : never;
/** What a page may send once the connection has said hello; the connection adds the id. */
export type Message = WithoutId<Exclude<FromClient, { kind: 'hello' }>>;
/** What the server replies to a message: it carries the id of that message. */
export type Answer = Extract<FromServer, { id: string }>;
/** What the server sends without having been asked. */
export type ServerUpdate = Extract<FromServer, { kind: 'welcome' | 'event' | 'here' | 'sealed' }>;
export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'ended';

/** What this page has received so far, so that the server sends only what is missing. */
export interface Progress {
  number: number;
  version: number;
  noted: number;
}

interface Listener {
  progress(): Progress;
  onUpdate(update: ServerUpdate): void;
  onState(state: ConnectionState, reason: string): void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
}

interface Pending {
  text: string;
  resolve: (answer: Answer) => void;
}

const PROTOCOL = 1;
const PING_AFTER = 10_000;
const GIVE_UP_AFTER = 20_000;
/** After the page has come back to the foreground, a dead connection must be noticed soon. */
const WAKE_TIMEOUT = 4_000;
/** Phones have sockets that stay in the state "connecting" forever. */
const HELLO_TIMEOUT = 8_000;
const CHECK_EVERY = 1_000;
/** If two checks are further apart than this, the machine was asleep. */
const SLEEP_GAP = 5_000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 15_000;
const WRONG_PROTOCOL = 4001;
const NOT_ALLOWED = 4003;
const SERVER_RESTART = 1012;

export class Connection {
  private socket: Socket | null = null;
  /** Messages that the server has not answered yet, by id. */
  private readonly pending = new Map<string, Pending>();
  /** Whether the server has answered the hello of this socket. */
  private isReady = false;
  private helloId = '';
  private tries = 0;
  private receivedAt = 0;
  private pingedAt = 0;
  /** If nothing is received until then, the connection is dead. */
  private deadline = Infinity;
  private checkedAt = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private checkTimer: ReturnType<typeof setInterval> | undefined;
  private hasEnded = false;

  constructor(
    private readonly listener: Listener,
    private readonly invite: string,
    private readonly open: () => Socket,
    private readonly now: () => number = () => Date.now(),
  ) {}

  start(): void {
    this.checkedAt = this.now();
    this.checkTimer = setInterval(() => this.check(), CHECK_EVERY);
    this.connect();
  }

  /** Sends a message, again after each reconnect until it is answered; resolves with the answer. */
  send(message: Message): Promise<Answer> {
    const id = randomHex();
    const text = JSON.stringify({ ...message, id } satisfies FromClient);
    return new Promise((resolve) => {
      this.pending.set(id, { text, resolve });
      if (this.isReady) this.socket?.send(text);
    });
  }

  /** The page is in the foreground again, or the network is back: reconnect at once, or test what seems open. */
  wake(): void {
    if (this.hasEnded) return;
    if (!this.socket) this.connect();
    else if (this.isReady) {
      this.deadline = Math.min(this.deadline, this.now() + WAKE_TIMEOUT);
      this.ping();
    }
  }

  close(): void {
    this.end('closed');
  }

  private connect(): void {
    clearTimeout(this.retryTimer);
    this.drop();
    this.listener.onState('connecting', '');
    this.receivedAt = this.pingedAt = this.now();
    this.deadline = this.receivedAt + HELLO_TIMEOUT;
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.helloId = randomHex();
      const invite = this.invite ? { invite: this.invite } : {};
      this.transmit({ kind: 'hello', id: this.helloId, protocol: PROTOCOL, ...this.listener.progress(), ...invite });
    };
    socket.onmessage = (event) => {
      if (this.socket === socket) this.receive(JSON.parse(event.data) as FromServer);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.onClose(event.code);
    };
  }

  private receive(message: FromServer): void {
    this.receivedAt = this.now();
    this.deadline = Infinity;
    switch (message.kind) {
      case 'ping':
        this.transmit({ kind: 'pong' });
        break;
      case 'pong':
        break;
      case 'bye':
        if (message.again) this.retry(message.code);
        else this.end(message.code);
        break;
      case 'welcome':
      case 'event':
      case 'here':
      case 'sealed':
        this.listener.onUpdate(message);
        break;
      default:
        this.onAnswer(message);
    }
  }

  private onAnswer(answer: Answer): void {
    if (answer.id === this.helloId) {
      if (answer.kind === 'denied') this.end(answer.code);
      else this.onReady();
      return;
    }
    const pending = this.pending.get(answer.id);
    this.pending.delete(answer.id);
    pending?.resolve(answer);
  }

  /** Sends again what was not answered; by its id the server notices what it has carried out already. */
  private onReady(): void {
    this.isReady = true;
    this.tries = 0;
    this.listener.onState('open', '');
    for (const { text } of this.pending.values()) this.socket?.send(text);
  }

  private onClose(code: number): void {
    if (code === WRONG_PROTOCOL) this.end('other protocol');
    else if (code === NOT_ALLOWED) this.end('not allowed');
    else this.retry(code === SERVER_RESTART ? 'restart' : '');
  }

  private retry(reason: string): void {
    this.drop();
    if (this.hasEnded) return;
    this.listener.onState('waiting', reason);
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
    this.tries += 1;
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.connect(), longest * (0.5 + Math.random() / 2));
  }

  private end(reason: string): void {
    this.hasEnded = true;
    clearTimeout(this.retryTimer);
    clearInterval(this.checkTimer);
    this.drop();
    this.listener.onState('ended', reason);
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.isReady = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private ping(): void {
    this.pingedAt = this.now();
    if (this.isReady) this.transmit({ kind: 'ping' });
  }

  private transmit(message: FromClient): void {
    this.socket?.send(JSON.stringify(message));
  }

  /** Notices dead connections and a machine that was asleep. */
  private check(): void {
    const now = this.now();
    const wasAsleep = now - this.checkedAt > SLEEP_GAP;
    this.checkedAt = now;
    if (!this.socket) {
      if (wasAsleep) this.connect();
    } else if (now > this.deadline || now - this.receivedAt > GIVE_UP_AFTER) {
      this.connect();
    } else if (wasAsleep) {
      this.wake(); // or just a tab in the background, whose timers run once a minute
    } else if (now - Math.max(this.receivedAt, this.pingedAt) > PING_AFTER) {
      this.ping();
    }
  }
}

/** 16 random bytes as hexadecimal digits. (`crypto.randomUUID` is missing on pages of a local network.) */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
