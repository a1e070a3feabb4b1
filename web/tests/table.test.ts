import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Table as Store } from '../src/lib/table.svelte';

/** A socket that the test speaks through. */
class Wire {
  static last: Wire;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    Wire.last = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {}

  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const kept = new Map<string, string>();
let table: Store;
let page: EventTarget & { hidden: boolean };

function state(parts: object = {}): object {
  return {
    id: 'oak',
    game: 'small',
    options: {},
    chairs: [
      { seat: 'A', kind: 'person', name: 'Anna', host: true },
      { seat: 'B', kind: 'bot', name: 'Ben', bot: 'thumb' },
    ],
    phase: 'playing',
    number: 1,
    public: false,
    pace: 'none',
    chat: true,
    fair: { number: 1, commitment: 'c0ffee', bytes: { A: '00' } },
    ...parts,
  };
}

function news(first: number, notes: object[], parts: object = {}): object {
  return { number: 1, first, notes, turn: first, asked: ['B'], view: { players: 2, you: 'A', trick: [] }, ...parts };
}

function event(version: number, game: object): object {
  return { kind: 'event', version, what: 'played', seat: 'A', by: 'person', game };
}

function kinds(): unknown[] {
  return table.scene?.history.map((note) => note.kind) ?? [];
}

beforeEach(async () => {
  vi.useFakeTimers();
  kept.clear();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal('document', page);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const { Table } = await import('../src/lib/table.svelte');
  table = new Table('oak', '', () => new Wire() as unknown as WebSocket);
  table.start();
  Wire.last.onopen?.();
});

afterEach(() => {
  table.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function welcome(parts: object = {}): void {
  Wire.last.says({ kind: 'welcome', version: 5, table: state(), here: ['A'], you: 'A', game: news(0, [{ kind: 'deal' }]), ...parts });
  Wire.last.says({ kind: 'done', id: Wire.last.sent[0]?.id, version: 5 });
}

test('a welcome is shown at once', () => {
  welcome();
  expect(table.standing).toBe('open');
  expect(kinds()).toEqual(['deal']);
  expect(table.names).toEqual({ A: 'Anna', B: 'Ben' });
  expect(table.isHost).toBe(true);
});

test('events are shown one after the other, each for a while', async () => {
  welcome();
  Wire.last.says(event(6, news(1, [{ kind: 'play' }])));
  Wire.last.says(event(7, news(2, [{ kind: 'draw' }])));
  expect(kinds()).toEqual(['deal', 'play']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(kinds()).toEqual(['deal', 'play', 'draw']);
});

test('an event that is delivered twice happens once', async () => {
  welcome();
  Wire.last.says(event(6, news(1, [{ kind: 'play' }])));
  Wire.last.says(event(6, news(1, [{ kind: 'play' }])));
  await vi.advanceTimersByTimeAsync(2000);
  expect(kinds()).toEqual(['deal', 'play']);
});

test('a finished trick stays for a while, or until somebody goes on', async () => {
  welcome();
  const notes = [
    { kind: 'play', seat: 'A', card: 'red 3' },
    { kind: 'play', seat: 'B', card: 'red 4' },
    { kind: 'trick', seat: 'B', card: 'red 4' },
  ];
  Wire.last.says(event(6, news(1, notes)));
  expect(table.scene?.finished?.winner).toBe('B');
  await vi.advanceTimersByTimeAsync(3000);
  expect(table.scene?.finished).toBeNull();
  Wire.last.says(event(7, news(4, notes)));
  expect(table.scene?.finished?.winner).toBe('B');
  table.hurry();
  await vi.advanceTimersByTimeAsync(1);
  expect(table.scene?.finished).toBeNull();
});

test('a trick that is finished while nobody looks lies there when they come back', async () => {
  welcome();
  page.hidden = true;
  Wire.last.says(event(6, news(1, [{ kind: 'play', seat: 'A', card: 'red 3' }, { kind: 'trick', seat: 'A', card: 'red 3' }])));
  await vi.advanceTimersByTimeAsync(60_000);
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(1);
  expect(table.scene?.finished?.winner).toBe('A');
  await vi.advanceTimersByTimeAsync(3000);
  expect(table.scene?.finished).toBeNull();
});

test('what waits to be shown when the connection comes back is not shown after what came with it', async () => {
  welcome();
  Wire.last.says(event(6, news(1, [{ kind: 'play' }])));
  Wire.last.says(event(7, news(2, [{ kind: 'draw' }])));
  const ask = { since: 8, question: { kind: 'play' }, moves: ['red 3'] };
  const all = [{ kind: 'deal' }, { kind: 'play' }, { kind: 'draw' }, { kind: 'pass' }];
  welcome({ version: 8, game: news(0, all, { asked: ['A'], ask }) });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(kinds()).toEqual(['deal', 'play', 'draw', 'pass']);
  expect(table.scene?.ask?.since).toBe(8);
});

test('many events that come together are shown without waiting', async () => {
  welcome();
  for (let n = 0; n < 60; n++) Wire.last.says(event(6 + n, news(1 + n, [{ kind: 'play' }])));
  await vi.advanceTimersByTimeAsync(12_000);
  expect(kinds()).toHaveLength(61);
});

test('news that come again after a break are not told twice', async () => {
  welcome();
  Wire.last.says(event(6, news(1, [{ kind: 'play' }])));
  Wire.last.says(event(8, news(1, [{ kind: 'play' }, { kind: 'draw' }])));
  await vi.advanceTimersByTimeAsync(2000);
  expect(kinds()).toEqual(['deal', 'play', 'draw']);
});

test('an answer names the question that it is meant for', async () => {
  welcome({ game: news(0, [], { asked: ['A'], ask: { since: 5, question: { kind: 'play' }, moves: ['red 3'] } }) });
  const answer = table.play('red 3');
  expect(Wire.last.sent.at(-1)).toMatchObject({ kind: 'play', since: 5, move: 'red 3' });
  expect(table.sending).toBe('red 3');
  Wire.last.says({ kind: 'done', id: Wire.last.sent.at(-1)?.id, version: 6 });
  await answer;
  expect(table.sending).toBeNull();
});

test('what was answered is shown at once, and not asked again', async () => {
  welcome();
  const ask = { since: 6, question: { kind: 'play' }, moves: ['red 3'] };
  Wire.last.says(event(6, news(1, [], { asked: ['A'], ask })));
  const answer = table.play('red 3');
  Wire.last.says(event(7, news(1, [{ kind: 'play' }])));
  expect(kinds()).toEqual(['deal']);
  Wire.last.says({ kind: 'done', id: Wire.last.sent.at(-1)?.id, version: 7 });
  await answer;
  expect(table.answered).toBe(6);
  await vi.advanceTimersByTimeAsync(1);
  expect(kinds()).toEqual(['deal', 'play']);
});

test('this page adds its own random bytes to each deal, once, and remembers what was promised', async () => {
  const { remembered } = await import('../src/lib/commitments');
  const open = state({ phase: 'open', fair: { number: 2, commitment: 'c0ffee' } });
  Wire.last.says({ kind: 'welcome', version: 5, table: open, here: ['A'], you: 'A' });
  Wire.last.says({ kind: 'done', id: Wire.last.sent[0]?.id, version: 5 });
  const lucks = Wire.last.sent.filter((message) => message.kind === 'luck');
  expect(lucks).toHaveLength(1);
  expect(lucks[0]).toMatchObject({ number: 2, bytes: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown });
  Wire.last.says({ kind: 'event', version: 6, what: 'swapped', table: open });
  expect(Wire.last.sent.filter((message) => message.kind === 'luck')).toHaveLength(1);
  expect(remembered('oak', 2)).toEqual({ commitment: 'c0ffee', seat: 'A', bytes: '' });
  Wire.last.says({ kind: 'done', id: lucks[0]?.id, version: 6 });
  await vi.advanceTimersByTimeAsync(1);
  expect(remembered('oak', 2)).toEqual({ commitment: 'c0ffee', seat: 'A', bytes: lucks[0]?.bytes });
  const playing = state({ phase: 'playing', fair: { number: 2, commitment: 'c0ffee' } });
  Wire.last.says({ kind: 'welcome', version: 7, table: playing, here: ['B'], you: 'B', game: news(0, []) });
  expect(remembered('oak', 2)).toEqual({ commitment: 'c0ffee', seat: 'B', bytes: lucks[0]?.bytes });
});

test('bytes that the table did not take are not remembered as given', async () => {
  const { remembered } = await import('../src/lib/commitments');
  const open = state({ phase: 'open', fair: { number: 3, commitment: 'c0ffee' } });
  Wire.last.says({ kind: 'welcome', version: 5, table: open, here: ['A'], you: 'A' });
  Wire.last.says({ kind: 'done', id: Wire.last.sent[0]?.id, version: 5 });
  Wire.last.says({ kind: 'denied', id: Wire.last.sent.at(-1)?.id, code: 'too late', text: '' });
  await vi.advanceTimersByTimeAsync(1);
  expect(remembered('oak', 3)).toEqual({ commitment: 'c0ffee', seat: 'A', bytes: '' });
});

test('who watches gives no bytes', () => {
  const open = state({ phase: 'open', fair: { number: 2, commitment: 'c0ffee' } });
  Wire.last.says({ kind: 'welcome', version: 5, table: open, here: [] });
  Wire.last.says({ kind: 'done', id: Wire.last.sent[0]?.id, version: 5 });
  expect(Wire.last.sent.filter((message) => message.kind === 'luck')).toEqual([]);
});

test('the next game begins with an empty table', () => {
  welcome();
  Wire.last.says({ kind: 'event', version: 6, what: 'reopened', table: state({ number: 2, phase: 'open' }) });
  expect(table.scene).toBeNull();
  Wire.last.says(event(7, { ...news(0, [{ kind: 'deal' }]), number: 2 }));
  expect(kinds()).toEqual(['deal']);
});
