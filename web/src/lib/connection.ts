/** One connection to a table: it comes back by itself, and whatever was sent arrives once. */

import type { FromClient, FromServer } from './protocol';

/** A message without its id, for each member of the union. */
type WithoutId<M> = M extends { id: string } ? Omit<M, 'id'> : never;
/** What a page may send once the connection has said hello; the connection adds the id. */
export type Message = WithoutId<Exclude<FromClient, { kind: 'hello' }>>;
/** What the server replies to a message: it carries the id of that message. */
export type Answer = Extract<FromServer, { id: string }>;
export type Standing = 'connecting' | 'open' | 'waiting' | 'ended';
/** What the server says without having been asked. */
export type Heard = Extract<FromServer, { kind: 'welcome' | 'event' | 'here' }>;

/** How far the client has come: what it says in its hello. */
export interface Progress {
  number: number;
  version: number;
  noted: number;
}

export interface Listener {
  progress(): Progress;
  heard(message: Heard): void;
  stood(standing: Standing, why: string): void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
}

interface Waiting {
  text: string;
  answered: (answer: Answer) => void;
}

const PROTOCOL = 1;
const ASK_AFTER = 10_000;
const GIVE_UP_AFTER = 20_000;
/** Whoever has just come back looks at the page, and should not look at one that hears nothing. */
const ANSWER_WITHIN = 4_000;
/** Phones have sockets that connect for ever. */
const GREET_WITHIN = 8_000;
const LOOK_EVERY = 1_000;
/** A longer time between two looks means that the machine was asleep. */
const JUMP = 5_000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 15_000;
/** Closed with one of these, there is no use in coming back by program. */
const FINAL = [4001, 4003];

export class Connection {
  private socket: Socket | null = null;
  private readonly waiting = new Map<string, Waiting>();
  private isGreeted = false;
  private helloId = '';
  private tries = 0;
  private heardAt = 0;
  private askedAt = 0;
  /** Something must have been heard by then. */
  private due = Infinity;
  private lookedAt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private looking: ReturnType<typeof setInterval> | undefined;
  private hasEnded = false;

  constructor(
    private readonly listener: Listener,
    private readonly invite: string,
    private readonly open: () => Socket,
    private readonly now: () => number = () => Date.now(),
  ) {}

  start(): void {
    this.lookedAt = this.now();
    this.looking = setInterval(() => this.look(), LOOK_EVERY);
    this.connect();
  }

  /** Sends a message, again after a break if need be, and gives what it is answered. */
  send(message: Message): Promise<Answer> {
    const id = newId();
    const text = JSON.stringify({ ...message, id } satisfies FromClient);
    return new Promise((answered) => {
      this.waiting.set(id, { text, answered });
      if (this.isGreeted) this.socket?.send(text);
    });
  }

  /** Somebody is back, or the network is: what seems open may be dead, so ask, or connect at once. */
  wake(): void {
    if (this.hasEnded) return;
    if (!this.socket) this.connect();
    else if (this.isGreeted) {
      this.due = Math.min(this.due, this.now() + ANSWER_WITHIN);
      this.ask();
    }
  }

  close(): void {
    this.end('closed');
  }

  private connect(): void {
    clearTimeout(this.retry);
    this.drop();
    this.listener.stood('connecting', '');
    this.heardAt = this.askedAt = this.now();
    this.due = this.heardAt + GREET_WITHIN;
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.helloId = newId();
      const invite = this.invite ? { invite: this.invite } : {};
      this.transmit({ kind: 'hello', id: this.helloId, protocol: PROTOCOL, ...this.listener.progress(), ...invite });
    };
    socket.onmessage = (event) => {
      if (this.socket === socket) this.take(JSON.parse(event.data) as FromServer);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.closed(event.code);
    };
  }

  private take(message: FromServer): void {
    this.heardAt = this.now();
    this.due = Infinity;
    switch (message.kind) {
      case 'ping':
        this.transmit({ kind: 'pong' });
        break;
      case 'pong':
        break;
      case 'bye':
        if (message.again) this.lost(message.code);
        else this.end(message.code);
        break;
      case 'welcome':
      case 'event':
      case 'here':
        this.listener.heard(message);
        break;
      case 'done':
      case 'denied':
      case 'because':
      case 'choices':
      case 'link':
        this.answer(message);
    }
  }

  private answer(answer: Answer): void {
    if (answer.id === this.helloId) {
      if (answer.kind === 'denied') this.end(answer.code);
      else this.greeted();
      return;
    }
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    waiting?.answered(answer);
  }

  /** The server knows us: what nobody has answered is sent again, and acts once. */
  private greeted(): void {
    this.isGreeted = true;
    this.tries = 0;
    this.listener.stood('open', '');
    for (const { text } of this.waiting.values()) this.socket?.send(text);
  }

  private closed(code: number): void {
    if (FINAL.includes(code)) this.end(code === 4001 ? 'other protocol' : 'not allowed');
    else this.lost(code === 1012 ? 'restart' : '');
  }

  private lost(why: string): void {
    this.drop();
    if (this.hasEnded) return;
    this.listener.stood('waiting', why);
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
    this.tries += 1;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connect(), longest * (0.5 + Math.random() / 2));
  }

  private end(why: string): void {
    this.hasEnded = true;
    clearTimeout(this.retry);
    clearInterval(this.looking);
    this.drop();
    this.listener.stood('ended', why);
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.isGreeted = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private ask(): void {
    this.askedAt = this.now();
    if (this.isGreeted) this.transmit({ kind: 'ping' });
  }

  private transmit(message: FromClient): void {
    this.socket?.send(JSON.stringify(message));
  }

  private look(): void {
    const now = this.now();
    const jumped = now - this.lookedAt > JUMP;
    this.lookedAt = now;
    if (!this.socket) {
      if (jumped) this.connect();
    } else if (now > this.due || now - this.heardAt > GIVE_UP_AFTER) {
      this.connect();
    } else if (jumped) {
      this.wake(); // or just a tab in the background, where a browser looks once a minute
    } else if (now - Math.max(this.heardAt, this.askedAt) > ASK_AFTER) {
      this.ask();
    }
  }
}

/** Random; `crypto.randomUUID` is not there on pages of the local network. */
export function newId(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
