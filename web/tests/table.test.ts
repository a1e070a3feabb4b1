import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Seen } from '../src/lib/commitments';
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

test('only the person who may act as host does so', () => {
  welcome({ you: 'B', here: ['A', 'B'] });
  expect(table.isActingHost).toBe(false);
  FakeSocket.last.receive({ kind: 'here', seats: ['B'], host: 'A' });
  expect(table.isActingHost, 'the host has just lost the connection').toBe(false);
  FakeSocket.last.receive({ kind: 'here', seats: ['B'], host: 'B', gone: ['A'] });
  expect(table.isActingHost).toBe(true);
  expect(table.gone).toEqual(['A']);
  FakeSocket.last.receive({ kind: 'here', seats: ['A', 'B'], host: 'A' });
  expect(table.isActingHost).toBe(false);
  expect(table.gone).toEqual([]);
});

test('the host and nobody else acts as host from the first moment', () => {
  welcome();
  expect(table.isActingHost).toBe(true);
});

test('spectators never act as host', () => {
  welcome({ you: null });
  FakeSocket.last.receive({ kind: 'here', seats: [] });
  expect(table.isActingHost).toBe(false);
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

test('a sealed answer takes the question away, also if another tab has given it', () => {
  const ask = { since: 5, question: { kind: 'play' }, moves: ['red 3', 'pass'], reaction: true };
  welcome({ game: news(0, [], { asked: ['A', 'B'], ask }) });
  expect(table.asking?.since).toBe(5);
  FakeSocket.last.receive({ kind: 'sealed', since: 4 });
  expect(table.asking?.since).toBe(5);
  FakeSocket.last.receive({ kind: 'sealed', since: 5 });
  expect(table.asking).toBeNull();
  FakeSocket.last.receive({ kind: 'sealed', since: 4 });
  expect(table.asking).toBeNull();
  expect(table.scene?.ask?.since).toBe(5);
});

// Random bytes, and what this device saw -----------------------------------------------------------

/** A table before the deal of its second game, with the bytes of these seats. */
function lobby(bytes: Record<string, string> = {}, parts: object = {}): object {
  return state({ phase: 'open', number: 2, fair: { number: 2, commitment: 'c0ffee', bytes }, ...parts });
}

/** The second game after its deal. */
function dealt(bytes: Record<string, string>, parts: object = {}): object {
  return lobby(bytes, { phase: 'playing', ...parts });
}

/** Welcomes this page before the deal, and returns the bytes that it gives. */
function sitDown(parts: object = {}): { id: string; bytes: string } {
  FakeSocket.last.receive({ kind: 'welcome', version: 5, table: lobby(), here: ['A'], you: 'A', ...parts });
  FakeSocket.last.receive({ kind: 'done', id: FakeSocket.last.sent[0]?.id, version: 5 });
  return lucks().at(-1) as { id: string; bytes: string };
}

function lucks(): Record<string, unknown>[] {
  return FakeSocket.last.sent.filter((message) => message.kind === 'luck');
}

async function seenOf(number: number): Promise<Seen | null> {
  await vi.advanceTimersByTimeAsync(1);
  return (await import('../src/lib/commitments')).savedSeen('oak', number);
}

async function acknowledge(luck: { id: string }): Promise<void> {
  FakeSocket.last.receive({ kind: 'done', id: luck.id, version: 6 });
  await vi.advanceTimersByTimeAsync(1);
}

/** News of the second game after so many moves. */
function chained(turn: number, first: number, notes: object[], chain: string, parts: object = {}): object {
  return { ...news(first, notes), number: 2, turn, chain, ...parts };
}

test('this page gives random bytes to each deal, once, and saves them with the commitment', async () => {
  const luck = sitDown();
  expect(luck).toMatchObject({ number: 2, bytes: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown });
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'swapped', table: lobby() });
  expect(lucks()).toHaveLength(1);
  expect(await seenOf(2)).toMatchObject({ commitment: 'c0ffee', seat: 'A', bytes: luck.bytes, accepted: false });
  await acknowledge(luck);
  expect(await seenOf(2)).toMatchObject({ commitment: 'c0ffee', seat: 'A', bytes: luck.bytes, accepted: true });
  FakeSocket.last.receive({ kind: 'welcome', version: 7, table: dealt({ B: luck.bytes }), here: ['B'], you: 'B', game: chained(0, 0, [], 'aa') });
  expect(await seenOf(2)).toMatchObject({ commitment: 'c0ffee', seat: 'B', bytes: luck.bytes, accepted: true });
  expect(table.bytesProblem).toBe('');
});

test('another commitment for the same game does not replace the first one', async () => {
  sitDown();
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'swapped', table: lobby({}, { fair: { number: 2, commitment: 'decade' } }) });
  expect((await seenOf(2))?.commitment).toBe('c0ffee');
});

test('no bytes are given against another commitment than the first', async () => {
  FakeSocket.last.receive({ kind: 'welcome', version: 5, table: lobby(), here: [] });
  const other = lobby({}, { fair: { number: 2, commitment: 'decade' } });
  FakeSocket.last.receive({ kind: 'welcome', version: 6, table: other, here: ['A'], you: 'A' });
  expect(lucks()).toEqual([]);
  expect(await seenOf(2)).toMatchObject({ commitment: 'c0ffee', bytes: '' });
});

test('another page of this browser gives the same bytes, and knows that they were accepted', async () => {
  const first = sitDown();
  const { Table } = await import('../src/lib/table.svelte');
  table.close();
  table = new Table('oak', '', () => new FakeSocket() as unknown as WebSocket);
  table.start();
  FakeSocket.last.onopen?.();
  const second = sitDown();
  expect(second.bytes).toBe(first.bytes);
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'luck', table: lobby({ A: first.bytes }) });
  FakeSocket.last.receive({ kind: 'denied', id: second.id, code: 'too late', text: '' });
  expect(await seenOf(2)).toMatchObject({ bytes: first.bytes, accepted: true });
  expect(table.bytesProblem).toBe('');
});

test('refused bytes are reported at once, and again when the cards are dealt without them', async () => {
  const luck = sitDown();
  expect(table.bytesProblem).toBe('');
  FakeSocket.last.receive({ kind: 'denied', id: luck.id, code: 'too many', text: '' });
  await vi.advanceTimersByTimeAsync(1);
  expect(table.bytesProblem).toBe('refused');
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'started', table: dealt({ B: '00' }), game: chained(0, 0, [], 'aa') });
  expect(table.bytesProblem).toBe('left out');
  expect(await seenOf(2)).toMatchObject({ bytes: luck.bytes, accepted: false });
  FakeSocket.last.receive({ kind: 'event', version: 7, what: 'reopened', table: lobby({}, { number: 3, fair: { number: 3, commitment: 'facade' } }) });
  expect(table.bytesProblem).toBe('');
});

test('a deal without bytes that were not answered yet is reported', () => {
  sitDown();
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'started', table: dealt({}), game: chained(0, 0, [], 'aa') });
  expect(table.bytesProblem).toBe('left out');
});

test('who gives up the seat before the deal has given no bytes', async () => {
  await acknowledge(sitDown());
  FakeSocket.last.receive({ kind: 'welcome', version: 7, table: lobby(), here: [] });
  expect(await seenOf(2)).toMatchObject({ seat: null, bytes: '', accepted: false });
});

test('who is removed before the deal has given no bytes', async () => {
  await acknowledge(sitDown());
  FakeSocket.last.receive({ kind: 'bye', code: 'removed', text: '', again: false });
  expect(await seenOf(2)).toMatchObject({ seat: null, bytes: '', accepted: false });
});

test('the chain and the notes that were shown are saved with every event', async () => {
  sitDown();
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'started', table: dealt({}), game: chained(0, 0, [{ kind: 'deal' }], 'aa') });
  expect(await seenOf(2)).toMatchObject({ seat: 'A', moves: 0, chain: 'aa', notes: 1 });
  FakeSocket.last.receive(event(7, chained(1, 1, [{ kind: 'play' }, { kind: 'draw' }], 'bb')));
  const { HistoryDigests } = await import('../src/lib/digests');
  const history = new HistoryDigests();
  history.replaceFrom(0, [{ kind: 'deal' }, { kind: 'play' }, { kind: 'draw' }]);
  expect(await seenOf(2)).toMatchObject({ moves: 1, chain: 'bb', notes: 3, shown: history.after(3), closed: false });
  FakeSocket.last.receive(event(8, { number: 2, first: 3, notes: [{ kind: 'pass' }] }));
  expect(await seenOf(2)).toMatchObject({ moves: 1, chain: 'bb', notes: 3 });
  FakeSocket.last.receive(event(9, chained(3, 4, [{ kind: 'pass' }], 'dd')));
  expect(await seenOf(2)).toMatchObject({ moves: 3, chain: 'dd', notes: 5 });
});

test('news that contradict what was shown before do not replace it', async () => {
  sitDown();
  const before = chained(2, 0, [{ kind: 'deal' }, { kind: 'play' }], 'bb');
  FakeSocket.last.receive({ kind: 'welcome', version: 6, table: dealt({}), here: ['A'], you: 'A', game: before });
  const seen = await seenOf(2);
  expect(seen).toMatchObject({ moves: 2, chain: 'bb', notes: 2 });
  const contradictions = [
    chained(1, 0, [{ kind: 'deal' }, { kind: 'play' }], 'aa'),
    chained(2, 0, [{ kind: 'deal' }, { kind: 'play' }], 'cc'),
    chained(3, 0, [{ kind: 'deal' }, { kind: 'pass' }, { kind: 'play' }], 'dd'),
  ];
  for (const [at, game] of contradictions.entries()) {
    FakeSocket.last.receive({ kind: 'welcome', version: 7 + at, table: dealt({}), here: ['A'], you: 'A', game });
    expect(await seenOf(2)).toEqual(seen);
  }
});

test('what a spectator is shown is replaced by what the seat is shown, but not the other way round', async () => {
  const asSpectator = { table: dealt({}), here: [], game: chained(1, 0, [{ kind: 'draw' }], 'bb') };
  FakeSocket.last.receive({ kind: 'welcome', version: 6, ...asSpectator });
  expect(await seenOf(2)).toMatchObject({ seat: null, bytes: '', moves: 1 });
  FakeSocket.last.receive({ kind: 'welcome', version: 7, ...asSpectator, you: 'A', game: chained(1, 0, [{ kind: 'draw', cards: ['red 3'] }], 'bb') });
  const seen = await seenOf(2);
  expect(seen).toMatchObject({ seat: 'A', moves: 1, chain: 'bb' });
  FakeSocket.last.receive({ kind: 'welcome', version: 8, ...asSpectator, game: chained(2, 0, [{ kind: 'draw' }, { kind: 'play' }], 'cc') });
  expect(await seenOf(2)).toEqual(seen);
});

test('a table that is closed is remembered as closed', async () => {
  welcome({ game: news(0, [{ kind: 'deal' }], { chain: 'aa' }) });
  expect((await seenOf(1))?.closed).toBe(false);
  const fair = { number: 1, commitment: 'c0ffee', bytes: {}, secret: 'bead' };
  FakeSocket.last.receive({ kind: 'event', version: 6, what: 'closed', table: state({ phase: 'closed', fair }) });
  expect(await seenOf(1)).toMatchObject({ closed: true, chain: 'aa' });
});

test('who has left does not know after which move the table was closed', async () => {
  welcome({ game: news(0, [{ kind: 'deal' }], { chain: 'aa' }) });
  const fair = { number: 1, commitment: 'c0ffee', bytes: {}, secret: 'bead' };
  FakeSocket.last.receive({ kind: 'welcome', version: 6, table: state(), here: [], game: news(0, [{ kind: 'deal' }, { kind: 'play' }], { turn: 1, chain: 'bb' }) });
  FakeSocket.last.receive({ kind: 'event', version: 7, what: 'closed', table: state({ phase: 'closed', fair }) });
  expect(await seenOf(1)).toMatchObject({ seat: 'A', chain: 'aa', closed: false });
});

test('a game that is first seen together with its secret is not saved as seen', async () => {
  const fair = { number: 1, commitment: 'c0ffee', bytes: {}, secret: 'bead' };
  welcome({ table: state({ phase: 'over', fair }), game: news(0, [{ kind: 'deal' }], { chain: 'aa' }) });
  expect(await seenOf(1)).toBeNull();
});

test('only the latest games are kept', async () => {
  const { newSeen, savedSeen, saveSeen } = await import('../src/lib/commitments');
  for (let number = 1; number <= 60; number++) saveSeen(newSeen('elm', number, 'c0ffee'));
  expect(savedSeen('elm', 10)).toBeNull();
  expect(savedSeen('elm', 11)?.number).toBe(11);
});

test('commitments that an earlier version saved can still be read', async () => {
  const { savedSeen } = await import('../src/lib/commitments');
  storage.set('fuda-luck', JSON.stringify([['elm/1', { commitment: 'c0ffee', seat: 'B', bytes: '11' }], ['elm/2', { commitment: 'c0ffee', seat: 'B', bytes: '' }]]));
  expect(savedSeen('elm', 1)).toMatchObject({ 'fuda seen': 1, table: 'elm', number: 1, seat: 'B', bytes: '11', accepted: true, chain: '' });
  expect(savedSeen('elm', 2)).toMatchObject({ bytes: '', accepted: false });
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
