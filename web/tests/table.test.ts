import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Table as Store } from '../src/lib/table.svelte';
import { NOTE_ROLES } from './small_book';

/** A fake socket: the test plays the server. */
class FakeSocket {
  static last: FakeSocket;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    FakeSocket.last = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {}

  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const storage = new Map<string, string>();
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
  storage.clear();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal('document', page);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
  const { Table } = await import('../src/lib/table.svelte');
  table = new Table('oak', '', () => new FakeSocket() as unknown as WebSocket);
  table.noteRoles = NOTE_ROLES;
  table.start();
  FakeSocket.last.onopen?.();
});

afterEach(() => {
  table.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function welcome(parts: object = {}): void {
  FakeSocket.last.receive({ kind: 'welcome', version: 5, table: state(), here: ['A'], you: 'A', game: news(0, [{ kind: 'deal' }]), ...parts });
  FakeSocket.last.receive({ kind: 'done', id: FakeSocket.last.sent[0]?.id, version: 5 });
}

test('a welcome is shown at once', () => {
  welcome();
  expect(table.connectionState).toBe('open');
  expect(kinds()).toEqual(['deal']);
  expect(table.names).toEqual({ A: 'Anna', B: 'Ben' });
  expect(table.isHost).toBe(true);
});

test('events are shown one after the other, each for a while', async () => {
  welcome();
  FakeSocket.last.receive(event(6, news(1, [{ kind: 'play' }])));
  FakeSocket.last.receive(event(7, news(2, [{ kind: 'draw' }])));
  expect(kinds()).toEqual(['deal', 'play']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(kinds()).toEqual(['deal', 'play', 'draw']);
});

test('an event that is delivered twice is shown once', async () => {
  welcome();
  FakeSocket.last.receive(event(6, news(1, [{ kind: 'play' }])));
  FakeSocket.last.receive(event(6, news(1, [{ kind: 'play' }])));
  await vi.advanceTimersByTimeAsync(2000);
  expect(kinds()).toEqual(['deal', 'play']);
});

test('a finished trick stays for a while, or until the wait is skipped', async () => {
  welcome();
  const notes = [
    { kind: 'play', seat: 'A', card: 'red 3' },
    { kind: 'play', seat: 'B', card: 'red 4' },
    { kind: 'trick', seat: 'B', card: 'red 4' },
  ];
  FakeSocket.last.receive(event(6, news(1, notes)));
  expect(table.scene?.finished?.winner).toBe('B');
  await vi.advanceTimersByTimeAsync(3000);
  expect(table.scene?.finished).toBeNull();
  FakeSocket.last.receive(event(7, news(4, notes)));
  expect(table.scene?.finished?.winner).toBe('B');
  table.skipWait();
  await vi.advanceTimersByTimeAsync(1);
  expect(table.scene?.finished).toBeNull();
});

test('a trick that is finished while the page is hidden is shown when it is visible again', async () => {
  welcome();
  page.hidden = true;
  FakeSocket.last.receive(event(6, news(1, [{ kind: 'play', seat: 'A', card: 'red 3' }, { kind: 'trick', seat: 'A', card: 'red 3' }])));
  await vi.advanceTimersByTimeAsync(60_000);
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(1);
  expect(table.scene?.finished?.winner).toBe('A');
  await vi.advanceTimersByTimeAsync(3000);
  expect(table.scene?.finished).toBeNull();
});

test('a reconnect drops the scenes that were waiting to be shown', async () => {
  welcome();
  FakeSocket.last.receive(event(6, news(1, [{ kind: 'play' }])));
  FakeSocket.last.receive(event(7, news(2, [{ kind: 'draw' }])));
  const ask = { since: 8, question: { kind: 'play' }, moves: ['red 3'] };
  const all = [{ kind: 'deal' }, { kind: 'play' }, { kind: 'draw' }, { kind: 'pass' }];
  welcome({ version: 8, game: news(0, all, { asked: ['A'], ask }) });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(kinds()).toEqual(['deal', 'play', 'draw', 'pass']);
  expect(table.scene?.ask?.since).toBe(8);
});

test('many events at once are shown without waiting', async () => {
  welcome();
  for (let n = 0; n < 60; n++) FakeSocket.last.receive(event(6 + n, news(1 + n, [{ kind: 'play' }])));
  await vi.advanceTimersByTimeAsync(12_000);
  expect(kinds()).toHaveLength(61);
});

test('notes that are sent again after a reconnect are not repeated', async () => {
  welcome();
  FakeSocket.last.receive(event(6, news(1, [{ kind: 'play' }])));
  FakeSocket.last.receive(event(8, news(1, [{ kind: 'play' }, { kind: 'draw' }])));
  await vi.advanceTimersByTimeAsync(2000);
  expect(kinds()).toEqual(['deal', 'play', 'draw']);
});

test('a move names the question that it answers', async () => {
  welcome({ game: news(0, [], { asked: ['A'], ask: { since: 5, question: { kind: 'play' }, moves: ['red 3'] } }) });
  const answer = table.play('red 3');
  expect(FakeSocket.last.sent.at(-1)).toMatchObject({ kind: 'play', since: 5, move: 'red 3' });
  expect(table.sending).toBe('red 3');
  FakeSocket.last.receive({ kind: 'done', id: FakeSocket.last.sent.at(-1)?.id, version: 6 });
  await answer;
  expect(table.sending).toBeNull();
});

test('an accepted move is shown at once, and not asked for again', async () => {
  welcome();
  const ask = { since: 6, question: { kind: 'play' }, moves: ['red 3'] };
  FakeSocket.last.receive(event(6, news(1, [], { asked: ['A'], ask })));
  const answer = table.play('red 3');
  FakeSocket.last.receive(event(7, news(1, [{ kind: 'play' }])));
  expect(kinds()).toEqual(['deal']);
  FakeSocket.last.receive({ kind: 'done', id: FakeSocket.last.sent.at(-1)?.id, version: 7 });
  await answer;
  expect(table.answered).toBe(6);
  await vi.advanceTimersByTimeAsync(1);
  expect(kinds()).toEqual(['deal', 'play']);
});

test('this page gives random bytes to each deal, once, and saves the commitment', async () => {
  const { savedCommitment } = await import('../src/lib/commitments');
  const open = state({ phase: 'open', fair: { number: 2, commitment: 'c0ffee' } });
  FakeSocket.last.receive({ kind: 'welcome', version: 5, table: open, here: ['A'], you: 'A' });
  FakeSocket.last.receive({ kind: 'done', id: FakeSocket.last.sent[0]?.id, version: 5 });
  const lucks = FakeSocket.last.sent.filter((message) => message.kind === 'luck');
  expect(lucks).toHaveLength(1);
  expect(lucks[0]).toMatchObject({ number: 2, bytes: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown });
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'swapped', table: open });
  expect(FakeSocket.last.sent.filter((message) => message.kind === 'luck')).toHaveLength(1);
  expect(savedCommitment('oak', 2)).toEqual({ commitment: 'c0ffee', seat: 'A', bytes: '' });
  FakeSocket.last.receive({ kind: 'done', id: lucks[0]?.id, version: 6 });
  await vi.advanceTimersByTimeAsync(1);
  expect(savedCommitment('oak', 2)).toEqual({ commitment: 'c0ffee', seat: 'A', bytes: lucks[0]?.bytes });
  const playing = state({ phase: 'playing', fair: { number: 2, commitment: 'c0ffee' } });
  FakeSocket.last.receive({ kind: 'welcome', version: 7, table: playing, here: ['B'], you: 'B', game: news(0, []) });
  expect(savedCommitment('oak', 2)).toEqual({ commitment: 'c0ffee', seat: 'B', bytes: lucks[0]?.bytes });
});

test('bytes that the table did not take are not saved', async () => {
  const { savedCommitment } = await import('../src/lib/commitments');
  const open = state({ phase: 'open', fair: { number: 3, commitment: 'c0ffee' } });
  FakeSocket.last.receive({ kind: 'welcome', version: 5, table: open, here: ['A'], you: 'A' });
  FakeSocket.last.receive({ kind: 'done', id: FakeSocket.last.sent[0]?.id, version: 5 });
  FakeSocket.last.receive({ kind: 'denied', id: FakeSocket.last.sent.at(-1)?.id, code: 'too late', text: '' });
  await vi.advanceTimersByTimeAsync(1);
  expect(savedCommitment('oak', 3)).toEqual({ commitment: 'c0ffee', seat: 'A', bytes: '' });
});

test('spectators give no bytes', () => {
  const open = state({ phase: 'open', fair: { number: 2, commitment: 'c0ffee' } });
  FakeSocket.last.receive({ kind: 'welcome', version: 5, table: open, here: [] });
  FakeSocket.last.receive({ kind: 'done', id: FakeSocket.last.sent[0]?.id, version: 5 });
  expect(FakeSocket.last.sent.filter((message) => message.kind === 'luck')).toEqual([]);
});

test('the next game begins with an empty table', () => {
  welcome();
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'reopened', table: state({ number: 2, phase: 'open' }) });
  expect(table.scene).toBeNull();
  FakeSocket.last.receive(event(7, { ...news(0, [{ kind: 'deal' }]), number: 2 }));
  expect(kinds()).toEqual(['deal']);
});
