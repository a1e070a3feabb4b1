import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Replay as Loaded, ReplayFrame as Frame } from '../src/lib/protocol';
import { NOTE_ROLES } from './small_book';

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en'] }));

const { PAGE, Replay, sceneOf, displayTime } = await import('../src/lib/replay.svelte');
const { settings } = await import('../src/lib/settings.svelte');

const MOVES = 4 * PAGE + 3;

/** A fake server that records the requests. */
class Server {
  requests: string[] = [];
  isDown = false;
  status = 200;
  /** The version of the rules of the game, if the server has another. */
  rules = '';
  isBare = false;

  get = (address: string): Promise<Response> => {
    if (this.isDown) return Promise.reject(new TypeError('no connection'));
    const query = new URL(address, 'http://fuda').searchParams;
    const from = Number(query.get('from'));
    const count = Number(query.get('count'));
    this.requests.push(`${query.get('seat')} ${from}${count === 1 ? ' only' : ''}`);
    if (this.status !== 200) return Promise.resolve(new Response('{}', { status: this.status }));
    if (this.rules && query.get('seat') !== 'open') return Promise.resolve(new Response('{}', { status: 409 }));
    const frames = Array.from({ length: Math.min(count, MOVES + 1 - from) }, (_, at) => frame(from + at));
    return Promise.resolve(Response.json({ moves: MOVES, names: {}, from, frames, rules: this.rules, bare: this.isBare } satisfies Loaded));
  };
}

function frame(turn: number): Frame {
  return { turn, notes: [{ kind: 'play', number: turn }], view: { players: 3, seat: 'B', turn } };
}

let server: Server;

async function opened(): Promise<InstanceType<typeof Replay>> {
  const replay = new Replay('oak', 1, 'watch', server.get);
  replay.start();
  await settled();
  return replay;
}

/** Lets all pending promises resolve. */
async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  settings.motion = 'normal';
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a replay', () => {
  it('loads the first page, the next one, and the last frame', async () => {
    const replay = await opened();
    expect(replay.moves).toBe(MOVES);
    expect(replay.frameAt(0)?.turn).toBe(0);
    expect(replay.end?.turn).toBe(MOVES);
    expect(server.requests).toEqual(['watch 0', `watch ${PAGE}`, `watch ${MOVES} only`]);
  });

  it('loads the current page first, then its neighbours, and nothing twice', async () => {
    const replay = await opened();
    server.requests = [];
    replay.seek(3 * PAGE + 4);
    await settled();
    expect(replay.frameAt(3 * PAGE + 4)?.turn).toBe(3 * PAGE + 4);
    expect(server.requests).toEqual([`watch ${3 * PAGE}`, `watch ${4 * PAGE}`, `watch ${2 * PAGE}`]);
    replay.seek(2 * PAGE);
    replay.seek(3 * PAGE);
    await settled();
    expect(server.requests).toHaveLength(3);
  });

  it('shows a game of other rules with open hands, the only way in which the server shows it', async () => {
    server.rules = '1';
    const replay = await opened();
    expect(replay.viewpoint).toBe('open');
    expect(replay.rules).toBe('1');
    expect(replay.isBare).toBe(false);
    expect(replay.loadState).toBe('ok');
    expect(replay.end?.turn).toBe(MOVES);
    expect(server.requests).toEqual(['watch 0', 'open 0', `open ${PAGE}`, `open ${MOVES} only`]);
  });

  it('knows the moves of a game of which nothing else was kept', async () => {
    server.rules = '1';
    server.isBare = true;
    const replay = await opened();
    expect(replay.isBare).toBe(true);
    expect(replay.framesUntil(3).frames.map((one) => one.turn)).toEqual([0, 1, 2, 3]);
  });

  it('cannot seek beyond the game', async () => {
    const replay = await opened();
    replay.seek(9999);
    expect(replay.turn).toBe(MOVES);
    replay.seek(-1);
    expect(replay.turn).toBe(0);
  });

  it('skips pages that are passed while another is loading', async () => {
    const replay = await opened();
    server.requests = [];
    for (let turn = 0; turn <= MOVES; turn++) replay.seek(turn);
    await settled();
    expect(server.requests).not.toContain(`watch ${PAGE}`);
    expect(replay.frameAt(MOVES)?.turn).toBe(MOVES);
  });

  it('loads its frames again for another viewpoint', async () => {
    const replay = await opened();
    server.requests = [];
    replay.setViewpoint('open');
    expect(replay.frameAt(0)).toBe(undefined);
    await settled();
    expect(server.requests).toEqual(['open 0', `open ${PAGE}`]);
    replay.setViewpoint('watch');
    expect(replay.frameAt(0)?.turn).toBe(0);
  });
});

describe('the history', () => {
  it('reaches back as far as it is loaded', async () => {
    const replay = await opened();
    expect(replay.historyUntil(2)).toEqual({ since: 0, notes: [0, 1, 2].map((number) => ({ kind: 'play', number })) });
    replay.seek(MOVES);
    await settled();
    expect(replay.historyUntil(MOVES).since).toBe(3 * PAGE);
    replay.loadEarlier();
    await settled();
    expect(replay.historyUntil(MOVES)).toMatchObject({ since: 0 });
    expect(replay.historyUntil(MOVES).notes).toHaveLength(MOVES + 1);
  });
});

describe('a running replay', () => {
  it('shows one frame after the other, then stops', async () => {
    const replay = await opened();
    replay.play();
    await vi.advanceTimersByTimeAsync(700);
    expect(replay.turn).toBe(1);
    await vi.advanceTimersByTimeAsync(700 * MOVES);
    expect(replay.turn).toBe(MOVES);
    expect(replay.isPlaying).toBe(false);
    replay.play();
    expect(replay.turn).toBe(0);
    replay.pause();
    await vi.advanceTimersByTimeAsync(5000);
    expect(replay.turn).toBe(0);
  });

  it('shows a finished trick longer, and all frames equally long without motion', () => {
    const trick: Frame = { ...frame(1), notes: [{ kind: 'trick', seat: 'A' }] };
    expect(displayTime(trick, NOTE_ROLES)).toBeGreaterThan(displayTime(frame(1), NOTE_ROLES));
    settings.motion = 'none';
    expect(displayTime(trick, NOTE_ROLES)).toBe(displayTime(frame(1), NOTE_ROLES));
    expect(displayTime(trick, NOTE_ROLES)).toBeGreaterThan(0);
  });

  it('waits for frames that are not loaded', async () => {
    const replay = await opened();
    replay.seek(2 * PAGE - 1);
    await settled();
    server.isDown = true;
    replay.seek(3 * PAGE - 1);
    await settled();
    replay.play();
    await vi.advanceTimersByTimeAsync(3000);
    expect(replay.turn).toBe(3 * PAGE - 1);
    expect(replay.loadState).toBe('retrying');
    server.isDown = false;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(replay.turn).toBeGreaterThan(3 * PAGE);
    expect(replay.loadState).toBe('ok');
  });
});

describe('a server that', () => {
  it('is down is asked again, at once when the network is back', async () => {
    server.isDown = true;
    const replay = await opened();
    expect(replay.loadState).toBe('retrying');
    server.isDown = false;
    replay.wake();
    await settled();
    expect(replay.loadState).toBe('ok');
    expect(replay.frameAt(0)?.turn).toBe(0);
  });

  it('is busy is asked again later', async () => {
    server.status = 429;
    const replay = await opened();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.requests.length).toBeLessThan(14);
    server.status = 200;
    await vi.advanceTimersByTimeAsync(9000);
    expect(replay.moves).toBe(MOVES);
  });

  it('has no such game is not asked again', async () => {
    server.status = 404;
    const replay = await opened();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(replay.loadState).toBe('missing');
    expect(server.requests).toHaveLength(1);
  });

  it('is down is not asked again after the page was closed', async () => {
    server.isDown = true;
    const replay = await opened();
    replay.close();
    server.isDown = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.requests).toEqual([]);
  });
});

describe('the scene of a frame', () => {
  it('asks nothing, and shows whose turn it was and the finished trick', () => {
    const notes = [
      { kind: 'play', seat: 'A', card: 'red 1' },
      { kind: 'play', seat: 'B', card: 'red 2' },
      { kind: 'trick', seat: 'B', card: 'red 2' },
    ];
    const scene = sceneOf({ ...frame(2), notes: notes.slice(1) }, notes, 4, NOTE_ROLES);
    expect(scene).toMatchObject({ number: 4, ask: null, asked: ['B'], turn: 2, finished: { winner: 'B', card: 'red 2' } });
    expect(scene.finished?.plays).toHaveLength(2);
    expect(sceneOf(frame(1), notes, 4, NOTE_ROLES).finished).toBe(null);
  });
});
