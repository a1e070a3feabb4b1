import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, type ServerUpdate, type Socket, type ConnectionState } from '../src/lib/connection';

/** A fake socket: the test plays the server. */
class FakeSocket implements Socket {
  sent: Record<string, unknown>[] = [];
  isClosed = false;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: MessageEvent<string>) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.onopen?.(undefined as never);
  }

  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent<string>);
  }

  breakOff(code = 1006): void {
    this.onclose?.({ code } as CloseEvent);
  }

  greet(): void {
    this.open();
    const hello = this.sent.findLast((message) => message.kind === 'hello');
    this.receive({ kind: 'done', id: hello?.id, version: 4 });
  }

  get kinds(): unknown[] {
    return this.sent.map((message) => message.kind);
  }
}

let sockets: FakeSocket[];
let states: ConnectionState[];
let updates: ServerUpdate[];
let connection: Connection;

function socket(at = -1): FakeSocket {
  const found = sockets.at(at);
  if (!found) throw new Error('There is no socket.');
  return found;
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  states = [];
  updates = [];
  connection = new Connection(
    {
      progress: () => ({ number: 1, version: 7, noted: 5 }),
      onUpdate: (update) => updates.push(update),
      onState: (state) => states.push(state),
    },
    'invite-code',
    () => {
      sockets.push(new FakeSocket());
      return socket();
    },
  );
  connection.start();
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

test('the hello says what the page has received, and contains the invitation', () => {
  socket().open();
  expect(socket().sent[0]).toMatchObject({ kind: 'hello', number: 1, version: 7, noted: 5, invite: 'invite-code' });
});

test('a message is sent after the hello is answered, and resolves with its answer', async () => {
  const answer = connection.send({ kind: 'why', move: 'red 3' });
  socket().open();
  expect(socket().kinds).toEqual(['hello']);
  socket().greet();
  const why = socket().sent.at(-1);
  expect(why).toMatchObject({ kind: 'why', move: 'red 3' });
  socket().receive({ kind: 'because', id: why?.id, move: 'red 3' });
  await expect(answer).resolves.toMatchObject({ kind: 'because' });
});

test('a message with a wrong kind or field is a type error', () => {
  const wrong = (): unknown[] => [
    // @ts-expect-error -- `since` is missing
    connection.send({ kind: 'play', move: 'red 3' }),
    // @ts-expect-error -- `card` is no field of it
    connection.send({ kind: 'why', card: 'red 3' }),
    // @ts-expect-error -- there is no such message
    connection.send({ kind: 'undo' }),
  ];
  expect(wrong).toBeTypeOf('function');
});

test('unanswered messages, and only those, are sent again with the same id', async () => {
  socket().greet();
  const answer = connection.send({ kind: 'play', since: 3, move: 'red 3' });
  const first = socket().sent.at(-1);
  socket().breakOff();
  expect(states.at(-1)).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1000);
  expect(sockets).toHaveLength(2);
  socket().greet();
  expect(socket().sent.at(-1)).toEqual(first);
  socket().receive({ kind: 'done', id: first?.id, version: 8 });
  await expect(answer).resolves.toMatchObject({ kind: 'done' });
  socket().breakOff();
  await vi.advanceTimersByTimeAsync(1000);
  socket().greet();
  expect(socket().kinds).toEqual(['hello', 'hello'].slice(1));
});

test('a silent connection gets a ping after 10 seconds and is given up after 20', async () => {
  socket().greet();
  await vi.advanceTimersByTimeAsync(11_500);
  expect(socket().kinds).toContain('ping');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sockets).toHaveLength(2);
  expect(socket(0).isClosed).toBe(true);
});

test('a connection that answers is kept', async () => {
  socket().greet();
  for (let n = 0; n < 10; n++) {
    await vi.advanceTimersByTimeAsync(9_000);
    socket().receive({ kind: 'ping' });
  }
  expect(sockets).toHaveLength(1);
  expect(socket().kinds).toContain('pong');
});

test('back from the background it pings at once, or reconnects at once', () => {
  socket().greet();
  connection.wake();
  expect(socket().kinds.at(-1)).toBe('ping');
  socket().breakOff();
  connection.wake();
  expect(sockets).toHaveLength(2);
});

test('back from the background, a dead connection is given up soon', async () => {
  socket().greet();
  connection.wake();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(sockets).toHaveLength(2);
});

test('back from the background, a connection that answers is kept', async () => {
  socket().greet();
  connection.wake();
  socket().receive({ kind: 'pong' });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(sockets).toHaveLength(1);
});

test('a socket that never opens is given up', async () => {
  await vi.advanceTimersByTimeAsync(7_000);
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(sockets).toHaveLength(2);
});

test('a background page, whose timers run once a minute, keeps a working connection', async () => {
  socket().greet();
  for (let minute = 0; minute < 10; minute++) {
    vi.setSystemTime(Date.now() + 59_000); // timers do not run meanwhile
    socket().receive({ kind: 'ping' });
    await vi.advanceTimersByTimeAsync(1000);
    socket().receive({ kind: 'pong' });
  }
  expect(sockets).toHaveLength(1);
});

test('after a jump of the clock it reconnects', async () => {
  socket().greet();
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sockets).toHaveLength(2);
});

test('it waits longer after each failure, up to 15 seconds', async () => {
  const waits: number[] = [];
  for (let n = 1; n <= 12; n++) {
    const before = Date.now();
    socket().breakOff();
    while (sockets.length === n) await vi.advanceTimersByTimeAsync(50);
    waits.push(Date.now() - before);
  }
  expect(waits[0]).toBeLessThanOrEqual(300);
  expect(waits[11]).toBeGreaterThan(7_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(15_050);
});

test.each([
  ['a final bye', () => socket().receive({ kind: 'bye', code: 'moved', text: '', again: false })],
  ['a final close code', () => socket().breakOff(4003)],
])('%s ends it', async (_, end) => {
  socket().greet();
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(states.at(-1)).toBe('ended');
  expect(sockets).toHaveLength(1);
});

test('events of an old socket are ignored', () => {
  const old = socket();
  old.greet();
  const listening = old.onmessage;
  old.breakOff();
  listening?.({ data: JSON.stringify({ kind: 'here', seats: ['A'] }) } as MessageEvent<string>);
  expect(updates).toEqual([]);
});
