/** A finished game, frame by frame: pages of frames near the current turn are loaded ahead, and kept. */

import { SvelteMap } from 'svelte/reactivity';
import type { Replay as Loaded, ReplayFrame as Frame, Seat } from './protocol';
import { settings } from './settings.svelte';
import { hasRole, type NoteRoles } from './roles';
import { EVENT_TIME, TRICK_TIME, type Scene } from './table.svelte';
import { lastTrick, type Note } from './view';

/** Who sees the game: a seat, a spectator, or somebody to whom all hands are open. */
export type Viewpoint = Seat | 'watch' | 'open';
type LoadState = 'ok' | 'retrying' | 'missing';

/** Frames per page. */
export const PAGE = 25;
/** How many earlier pages are loaded at a time for the log. */
const PAGES_BACK = 4;
const FIRST_WAIT = 500;
/** The status of a game whose rules the server does not have, where it is not asked for with open hands. */
const OTHER_RULES = 409;
const LONGEST_WAIT = 8000;
/** How often a running replay checks for a frame that is still loading. */
const CHECK_EVERY = 100;
/** How long a frame is shown where motion is off. */
const FRAME_TIME_WITHOUT_MOTION = 700;

/** The notes up to some turn, as far back as they are loaded: from the turn `since` on. */
interface KnownHistory {
  notes: Note[];
  since: number;
}

export class Replay {
  /** How many moves the game has; null until the first page is loaded. */
  moves: number | null = $state(null);
  turn = $state(0);
  viewpoint: Viewpoint = $state('watch');
  loadState: LoadState = $state('ok');
  isPlaying = $state(false);
  /** Who played, by seat. */
  names: Record<string, string> = $state.raw({});
  /** The version of the rules of the game, if the server has another: then only open hands are shown. */
  rules = $state('');
  /** Whether only the moves of the game are known. */
  isBare = $state(false);
  /** The last frame. */
  end: Frame | null = $state.raw(null);
  /** Set when the book is loaded. */
  noteRoles: NoteRoles = $state.raw({});

  private readonly pages = new SvelteMap<string, Frame[]>();
  /** The earliest page that the log needs. */
  private earliestPage = Number.POSITIVE_INFINITY;
  private wait = FIRST_WAIT;
  private isLoading = false;
  private isClosed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private endWait: (() => void) | null = null;

  constructor(
    private readonly table: string,
    private readonly number: number,
    viewpoint: Viewpoint,
    private readonly get: (address: string) => Promise<Response> = (address) => fetch(address),
  ) {
    this.viewpoint = viewpoint;
  }

  start(): void {
    void this.load();
  }

  close(): void {
    this.isClosed = true;
    this.pause();
    this.wake();
  }

  /** Retries at once, as the network may be back. */
  wake(): void {
    this.endWait?.();
  }

  // Frames -------------------------------------------------------------------------------------------

  frameAt(turn: number): Frame | undefined {
    return this.pages.get(keyOf(this.viewpoint, pageOf(turn)))?.[turn % PAGE];
  }

  /** What is loaded of the history up to this turn, without a gap. */
  historyUntil(turn: number): KnownHistory {
    const { frames, since } = this.framesUntil(turn);
    return { notes: frames.flatMap((frame) => frame.notes), since };
  }

  /** The frames up to this turn that are loaded without a gap: from the turn `since` on. */
  framesUntil(turn: number): { frames: Frame[]; since: number } {
    const known: Frame[][] = [];
    let page = pageOf(turn);
    for (; page >= 0; page--) {
      const frames = this.pages.get(keyOf(this.viewpoint, page));
      if (!frames) break;
      known.push(known.length === 0 ? frames.slice(0, (turn % PAGE) + 1) : frames);
    }
    return { frames: known.reverse().flat(), since: known.length === 0 ? turn + 1 : (page + 1) * PAGE };
  }

  /** The game after this turn; null while its frame is loading. */
  sceneAt(turn: number): Scene | null {
    const frame = this.frameAt(turn);
    return frame ? sceneOf(frame, this.historyUntil(turn).notes, this.number, this.noteRoles) : null;
  }

  seek(turn: number): void {
    this.turn = Math.max(0, Math.min(turn, this.moves ?? 0));
    void this.load();
  }

  setViewpoint(viewpoint: Viewpoint): void {
    this.viewpoint = viewpoint;
    void this.load();
  }

  /** Loads more of the history before what is loaded. */
  loadEarlier(): void {
    this.earliestPage = Math.max(0, pageOf(this.historyUntil(this.turn).since) - PAGES_BACK);
    void this.load();
  }

  // Playing ------------------------------------------------------------------------------------------

  play(): void {
    if (this.moves === null || this.isPlaying) return;
    if (this.turn >= this.moves) this.seek(0);
    this.isPlaying = true;
    this.schedule(displayTime(this.frameAt(this.turn), this.noteRoles));
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
      this.schedule(displayTime(next, this.noteRoles));
    } else if (this.turn >= (this.moves ?? 0)) this.pause();
    else this.schedule(CHECK_EVERY);
  }

  // Loading ------------------------------------------------------------------------------------------

  /** Loads one page after the other, each time the one that is needed most. */
  private async load(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      for (let page = this.nextPage(); page !== null && !this.isOver(); page = this.nextPage()) await this.loadPage(this.viewpoint, page);
      if (this.moves !== null && !this.end && !this.isOver()) await this.loadEnd(this.moves);
    } finally {
      this.isLoading = false;
    }
    if (!this.isOver() && this.nextPage() !== null) void this.load();
  }

  private isOver(): boolean {
    return this.isClosed || this.loadState === 'missing';
  }

  /** The page to load next: the current one, the next, the previous, then those for the log. */
  private nextPage(): number | null {
    const page = pageOf(this.turn);
    const last = pageOf(this.moves ?? 0);
    const wanted = [page, page + 1, page - 1];
    for (let earlier = page - 2; earlier >= this.earliestPage; earlier--) wanted.push(earlier);
    return wanted.find((one) => one >= 0 && one <= last && !this.pages.has(keyOf(this.viewpoint, one))) ?? null;
  }

  private async loadPage(viewpoint: Viewpoint, page: number): Promise<void> {
    const loaded = await this.fetchFrames(viewpoint, page * PAGE, PAGE);
    if (!loaded) return;
    this.moves = loaded.moves;
    this.names = loaded.names;
    this.rules = loaded.rules ?? '';
    this.isBare = loaded.bare ?? false;
    this.pages.set(keyOf(viewpoint, page), loaded.frames);
  }

  private async loadEnd(moves: number): Promise<void> {
    const loaded = await this.fetchFrames(this.rules ? 'open' : 'watch', moves, 1);
    this.end = loaded?.frames[0] ?? null;
    if (!this.end && !this.isOver()) await this.loadEnd(moves);
  }

  /** Some frames; null, after a wait, if the server did not answer. */
  private async fetchFrames(viewpoint: Viewpoint, from: number, count: number): Promise<Loaded | null> {
    try {
      const answer = await this.get(`/api/tables/${this.table}/records/${this.number}/film?seat=${viewpoint}&from=${from}&count=${count}`);
      if (answer.ok) {
        const loaded = (await answer.json()) as Loaded;
        this.loadState = 'ok';
        this.wait = FIRST_WAIT;
        return loaded;
      }
      if (answer.status === OTHER_RULES && viewpoint !== 'open') {
        this.viewpoint = 'open';
        return null;
      }
      if (answer.status === 404 || answer.status === 400) {
        this.loadState = 'missing';
        this.pause();
        return null;
      }
    } catch {
      // no connection, or it broke off
    }
    this.loadState = 'retrying';
    await this.waitForRetry();
    return null;
  }

  private waitForRetry(): Promise<void> {
    const milliseconds = this.wait;
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.endWait?.(), milliseconds);
      this.endWait = () => {
        clearTimeout(timer);
        this.endWait = null;
        resolve();
      };
      if (this.isClosed) this.endWait();
    });
  }
}

function keyOf(viewpoint: Viewpoint, page: number): string {
  return `${viewpoint} ${page}`;
}

function pageOf(turn: number): number {
  return Math.floor(turn / PAGE);
}

function endsTrick(frame: Frame, roles: NoteRoles): boolean {
  return frame.notes.some((note) => hasRole(note, 'trick ended', roles));
}

/** How long a frame is shown while the replay runs; a finished trick is shown longer. */
export function displayTime(frame: Frame | undefined, roles: NoteRoles): number {
  if (settings.motion === 'none') return FRAME_TIME_WITHOUT_MOTION;
  return frame && endsTrick(frame, roles) ? TRICK_TIME[settings.motion] : EVENT_TIME[settings.motion];
}

/** The frame as the table shows it; nobody is asked anything. */
export function sceneOf(frame: Frame, history: Note[], number: number, roles: NoteRoles): Scene {
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
    finished: endsTrick(frame, roles) ? lastTrick(history, roles) : null,
  };
}
