/** A finished game, frame by frame: what is near is fetched before it is needed, and kept. */

import { SvelteMap } from 'svelte/reactivity';
import type { Film, Frame, Seat } from './protocol';
import { settings } from './settings.svelte';
import { STEP, TRICK_STAYS, type Scene } from './table.svelte';
import { TRICK, lastTrick, type Note } from './view';

/** With whose eyes the game is seen: a seat's, a spectator's, or with all hands open. */
export type Eyes = Seat | 'watch' | 'open';
/** Whether frames come; if there is no such game they never will. */
export type Supply = 'fine' | 'waiting' | 'gone';

/** So many frames are fetched at once. */
export const PAGE = 25;
/** So many pages of the story are read at once. */
const PAGES_BACK = 4;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** While a frame is on its way, a film that runs looks for it so often. */
const LOOK_EVERY = 100;
/** How long a frame stays for those who do not want things to move. */
const STILL_STEP = 700;

/** The notes that are known up to some moment, and from which turn on. */
export interface Story {
  notes: Note[];
  since: number;
}

export class Reel {
  /** How many moves the game has; nothing before the first frames have come. */
  moves: number | null = $state(null);
  turn = $state(0);
  eyes: Eyes = $state('watch');
  supply: Supply = $state('fine');
  isPlaying = $state(false);
  /** Who played, by seat, if the film tells. */
  names: Record<string, string> = $state.raw({});
  /** How the game ended. */
  end: Frame | null = $state.raw(null);

  private readonly pages = new SvelteMap<string, Frame[]>();
  /** The page from which on somebody wants to read the story. */
  private back = Number.POSITIVE_INFINITY;
  private wait = FIRST_WAIT;
  private isLoading = false;
  private isClosed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wakeUp: (() => void) | null = null;

  constructor(
    private readonly table: string,
    private readonly number: number,
    eyes: Eyes,
    private readonly get: (address: string) => Promise<Response> = (address) => fetch(address),
  ) {
    this.eyes = eyes;
  }

  start(): void {
    void this.load();
  }

  close(): void {
    this.isClosed = true;
    this.pause();
    this.wake();
  }

  /** The network may be back. */
  wake(): void {
    this.wakeUp?.();
  }

  // Looking ------------------------------------------------------------------------------------------

  frameAt(turn: number): Frame | undefined {
    return this.pages.get(keyOf(this.eyes, pageOf(turn)))?.[turn % PAGE];
  }

  /** What is known to have happened up to this moment, without a gap. */
  story(turn: number): Story {
    const known: Frame[][] = [];
    let page = pageOf(turn);
    for (; page >= 0; page--) {
      const frames = this.pages.get(keyOf(this.eyes, page));
      if (!frames) break;
      known.push(known.length === 0 ? frames.slice(0, (turn % PAGE) + 1) : frames);
    }
    const notes = known.reverse().flatMap((frames) => frames.flatMap((frame) => frame.notes));
    return { notes, since: known.length === 0 ? turn + 1 : (page + 1) * PAGE };
  }

  /** The game at this moment, if its frame is here. */
  sceneAt(turn: number): Scene | null {
    const frame = this.frameAt(turn);
    return frame ? sceneOf(frame, this.story(turn).notes, this.number) : null;
  }

  seek(turn: number): void {
    this.turn = Math.max(0, Math.min(turn, this.moves ?? 0));
    void this.load();
  }

  look(eyes: Eyes): void {
    this.eyes = eyes;
    void this.load();
  }

  /** Fetches what happened before the part of the story that is known. */
  tellEarlier(): void {
    this.back = Math.max(0, pageOf(this.story(this.turn).since) - PAGES_BACK);
    void this.load();
  }

  // Playing ------------------------------------------------------------------------------------------

  play(): void {
    if (this.moves === null || this.isPlaying) return;
    if (this.turn >= this.moves) this.seek(0);
    this.isPlaying = true;
    this.schedule(stayOf(this.frameAt(this.turn)));
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.timer);
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.advance(), milliseconds);
  }

  private advance(): void {
    const next = this.frameAt(this.turn + 1);
    if (next) {
      this.seek(this.turn + 1);
      this.schedule(stayOf(next));
    } else if (this.turn >= (this.moves ?? 0)) this.pause();
    else this.schedule(LOOK_EVERY);
  }

  // Fetching -----------------------------------------------------------------------------------------

  /** Fetches one page after the other, each time the one that is missed most. */
  private async load(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      for (let page = this.missed(); page !== null && !this.isOver(); page = this.missed()) await this.fetchPage(this.eyes, page);
      if (this.moves !== null && !this.end && !this.isOver()) await this.fetchEnd(this.moves);
    } finally {
      this.isLoading = false;
    }
    if (!this.isOver() && this.missed() !== null) void this.load();
  }

  private isOver(): boolean {
    return this.isClosed || this.supply === 'gone';
  }

  /** The page to fetch next: the one that is looked at, what comes next, what was before. */
  private missed(): number | null {
    const page = pageOf(this.turn);
    const last = pageOf(this.moves ?? 0);
    const wanted = [page, page + 1, page - 1];
    for (let earlier = page - 2; earlier >= this.back; earlier--) wanted.push(earlier);
    return wanted.find((one) => one >= 0 && one <= last && !this.pages.has(keyOf(this.eyes, one))) ?? null;
  }

  private async fetchPage(eyes: Eyes, page: number): Promise<void> {
    const film = await this.fetchFilm(eyes, page * PAGE, PAGE);
    if (!film) return;
    this.moves = film.moves;
    this.names = film.names;
    this.pages.set(keyOf(eyes, page), film.frames);
  }

  private async fetchEnd(moves: number): Promise<void> {
    const film = await this.fetchFilm('watch', moves, 1);
    this.end = film?.frames[0] ?? null;
    if (!this.end && !this.isOver()) await this.fetchEnd(moves);
  }

  /** Some frames; nothing, after a while, if they could not be had now. */
  private async fetchFilm(eyes: Eyes, from: number, count: number): Promise<Film | null> {
    try {
      const answer = await this.get(`/api/tables/${this.table}/records/${this.number}/film?seat=${eyes}&from=${from}&count=${count}`);
      if (answer.ok) {
        const film = (await answer.json()) as Film;
        this.supply = 'fine';
        this.wait = FIRST_WAIT;
        return film;
      }
      if (answer.status === 404 || answer.status === 400) {
        this.supply = 'gone';
        this.pause();
        return null;
      }
    } catch {
      // no connection, or one that broke off: it is tried again
    }
    this.supply = 'waiting';
    await this.sleep();
    return null;
  }

  private sleep(): Promise<void> {
    const milliseconds = this.wait;
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wakeUp?.(), milliseconds);
      this.wakeUp = () => {
        clearTimeout(timer);
        this.wakeUp = null;
        resolve();
      };
      if (this.isClosed) this.wakeUp();
    });
  }
}

function keyOf(eyes: Eyes, page: number): string {
  return `${eyes} ${page}`;
}

function pageOf(turn: number): number {
  return Math.floor(turn / PAGE);
}

function isTrick(frame: Frame): boolean {
  return frame.notes.some((note) => note.kind === TRICK);
}

/** How long a frame is shown while the film runs; a finished trick stays longer. */
export function stayOf(frame: Frame | undefined): number {
  if (settings.motion === 'none') return STILL_STEP;
  return frame && isTrick(frame) ? TRICK_STAYS[settings.motion] : STEP[settings.motion];
}

/** A frame as a table shows it: nobody is asked anything any more. */
export function sceneOf(frame: Frame, history: Note[], number: number): Scene {
  const asked = frame.view.seat;
  return {
    number,
    view: frame.view,
    told: frame.told ?? {},
    history,
    asked: typeof asked === 'string' ? [asked as Seat] : [],
    answered: 0,
    ask: null,
    due: null,
    turn: frame.turn,
    finished: isTrick(frame) ? lastTrick(history) : null,
  };
}
