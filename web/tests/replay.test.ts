import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Film, Frame } from '../src/lib/protocol';

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en'] }));

const { PAGE, Reel, sceneOf, stayOf } = await import('../src/lib/replay.svelte');
const { settings } = await import('../src/lib/settings.svelte');

const MOVES = 4 * PAGE + 3;

/** A server with a film; it can be down, and keeps what it was asked for. */
class Server {
  asked: string[] = [];
  isDown = false;
  status = 200;

  get = (address: string): Promise<Response> => {
    if (this.isDown) return Promise.reject(new TypeError('no connection'));
    const query = new URL(address, 'http://fuda').searchParams;
    const from = Number(query.get('from'));
    const count = Number(query.get('count'));
    this.asked.push(`${query.get('seat')} ${from}${count === 1 ? ' only' : ''}`);
    if (this.status !== 200) return Promise.resolve(new Response('{}', { status: this.status }));
    const frames = Array.from({ length: Math.min(count, MOVES + 1 - from) }, (_, at) => frame(from + at));
    return Promise.resolve(Response.json({ moves: MOVES, names: {}, from, frames } satisfies Film));
  };
}

function frame(turn: number): Frame {
  return { turn, notes: [{ kind: 'play', number: turn }], view: { players: 3, seat: 'B', turn } };
}

let server: Server;

async function opened(): Promise<InstanceType<typeof Reel>> {
  const reel = new Reel('oak', 1, 'watch', server.get);
  reel.start();
  await settled();
  return reel;
}

/** Everything that needs no time has happened. */
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

describe('a film', () => {
  it('begins with the deal, the next page, and how it ended', async () => {
    const reel = await opened();
    expect(reel.moves).toBe(MOVES);
    expect(reel.frameAt(0)?.turn).toBe(0);
    expect(reel.end?.turn).toBe(MOVES);
    expect(server.asked).toEqual(['watch 0', `watch ${PAGE}`, `watch ${MOVES} only`]);
  });

  it('fetches what is looked at first, then what is near, and nothing twice', async () => {
    const reel = await opened();
    server.asked = [];
    reel.seek(3 * PAGE + 4);
    await settled();
    expect(reel.frameAt(3 * PAGE + 4)?.turn).toBe(3 * PAGE + 4);
    expect(server.asked).toEqual([`watch ${3 * PAGE}`, `watch ${4 * PAGE}`, `watch ${2 * PAGE}`]);
    reel.seek(2 * PAGE);
    reel.seek(3 * PAGE);
    await settled();
    expect(server.asked).toHaveLength(3);
  });

  it('stays within the game', async () => {
    const reel = await opened();
    reel.seek(9999);
    expect(reel.turn).toBe(MOVES);
    reel.seek(-1);
    expect(reel.turn).toBe(0);
  });

  it('skips pages that are passed while another is on its way', async () => {
    const reel = await opened();
    server.asked = [];
    for (let turn = 0; turn <= MOVES; turn++) reel.seek(turn);
    await settled();
    expect(server.asked).not.toContain(`watch ${PAGE}`);
    expect(reel.frameAt(MOVES)?.turn).toBe(MOVES);
  });

  it('is fetched anew for other eyes', async () => {
    const reel = await opened();
    server.asked = [];
    reel.look('open');
    expect(reel.frameAt(0)).toBe(undefined);
    await settled();
    expect(server.asked).toEqual(['open 0', `open ${PAGE}`]);
    reel.look('watch');
    expect(reel.frameAt(0)?.turn).toBe(0);
  });
});

describe('the story', () => {
  it('is told up to this moment, as far back as it is known', async () => {
    const reel = await opened();
    expect(reel.story(2)).toEqual({ since: 0, notes: [0, 1, 2].map((number) => ({ kind: 'play', number })) });
    reel.seek(MOVES);
    await settled();
    expect(reel.story(MOVES).since).toBe(3 * PAGE);
    reel.tellEarlier();
    await settled();
    expect(reel.story(MOVES)).toMatchObject({ since: 0 });
    expect(reel.story(MOVES).notes).toHaveLength(MOVES + 1);
  });
});

describe('a film that runs', () => {
  it('shows one frame after the other, and ends', async () => {
    const reel = await opened();
    reel.play();
    await vi.advanceTimersByTimeAsync(700);
    expect(reel.turn).toBe(1);
    await vi.advanceTimersByTimeAsync(700 * MOVES);
    expect(reel.turn).toBe(MOVES);
    expect(reel.isPlaying).toBe(false);
    reel.play();
    expect(reel.turn).toBe(0);
    reel.pause();
    await vi.advanceTimersByTimeAsync(5000);
    expect(reel.turn).toBe(0);
  });

  it('shows a finished trick longer, and keeps a pace for those who want no motion', () => {
    const trick: Frame = { ...frame(1), notes: [{ kind: 'trick', seat: 'A' }] };
    expect(stayOf(trick)).toBeGreaterThan(stayOf(frame(1)));
    settings.motion = 'none';
    expect(stayOf(trick)).toBe(stayOf(frame(1)));
    expect(stayOf(trick)).toBeGreaterThan(0);
  });

  it('waits for frames that do not come', async () => {
    const reel = await opened();
    reel.seek(2 * PAGE - 1);
    await settled();
    server.isDown = true;
    reel.seek(3 * PAGE - 1);
    await settled();
    reel.play();
    await vi.advanceTimersByTimeAsync(3000);
    expect(reel.turn).toBe(3 * PAGE - 1);
    expect(reel.supply).toBe('waiting');
    server.isDown = false;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reel.turn).toBeGreaterThan(3 * PAGE);
    expect(reel.supply).toBe('fine');
  });
});

describe('a server', () => {
  it('that is down is asked again, at once when the network is back', async () => {
    server.isDown = true;
    const reel = await opened();
    expect(reel.supply).toBe('waiting');
    server.isDown = false;
    reel.wake();
    await settled();
    expect(reel.supply).toBe('fine');
    expect(reel.frameAt(0)?.turn).toBe(0);
  });

  it('that has too much to do is asked again later', async () => {
    server.status = 429;
    const reel = await opened();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked.length).toBeLessThan(14);
    server.status = 200;
    await vi.advanceTimersByTimeAsync(9000);
    expect(reel.moves).toBe(MOVES);
  });

  it('that has no such game is believed', async () => {
    server.status = 404;
    const reel = await opened();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reel.supply).toBe('gone');
    expect(server.asked).toHaveLength(1);
  });

  it('is left alone after the page was closed', async () => {
    server.isDown = true;
    const reel = await opened();
    reel.close();
    server.isDown = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked).toEqual([]);
  });
});

describe('a scene', () => {
  it('asks nobody, shows whose turn it was, and the trick that was finished', () => {
    const notes = [
      { kind: 'play', seat: 'A', card: 'red 1' },
      { kind: 'play', seat: 'B', card: 'red 2' },
      { kind: 'trick', seat: 'B', card: 'red 2' },
    ];
    const scene = sceneOf({ ...frame(2), notes: notes.slice(1) }, notes, 4);
    expect(scene).toMatchObject({ number: 4, ask: null, asked: ['B'], turn: 2, finished: { winner: 'B', card: 'red 2' } });
    expect(scene.finished?.plays).toHaveLength(2);
    expect(sceneOf(frame(1), notes, 4).finished).toBe(null);
  });
});
