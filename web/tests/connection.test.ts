import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, type Heard, type Socket, type Standing } from '../src/lib/connection';

/** A server that answers when it is told to. */
class Wire implements Socket {
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

  opens(): void {
    this.onopen?.(undefined as never);
  }

  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent<string>);
  }

  breaks(code = 1006): void {
    this.onclose?.({ code } as CloseEvent);
  }

  greets(): void {
    this.opens();
    const hello = this.sent.findLast((message) => message.kind === 'hello');
    this.says({ kind: 'done', id: hello?.id, version: 4 });
  }

  get kinds(): unknown[] {
    return this.sent.map((message) => message.kind);
  }
}

let wires: Wire[];
let standings: Standing[];
let heard: Heard[];
let connection: Connection;

function wire(at = -1): Wire {
  const found = wires.at(at);
  if (!found) throw new Error('Nobody has connected.');
  return found;
}

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  standings = [];
  heard = [];
  connection = new Connection(
    {
      progress: () => ({ number: 1, version: 7, noted: 5 }),
      heard: (message) => heard.push(message),
      stood: (standing) => standings.push(standing),
    },
    'invite-code',
    () => {
      wires.push(new Wire());
      return wire();
    },
  );
  connection.start();
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

test('it says hello with how far it has come, and with the invitation', () => {
  wire().opens();
  expect(wire().sent[0]).toMatchObject({ kind: 'hello', number: 1, version: 7, noted: 5, invite: 'invite-code' });
});

test('a message is sent after the greeting, and gives its answer', async () => {
  const answer = connection.send({ kind: 'why', move: 'red 3' });
  wire().opens();
  expect(wire().kinds).toEqual(['hello']);
  wire().greets();
  const why = wire().sent.at(-1);
  expect(why).toMatchObject({ kind: 'why', move: 'red 3' });
  wire().says({ kind: 'because', id: why?.id, move: 'red 3' });
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

test('what was not answered is sent again with the same id, and nothing else is', async () => {
  wire().greets();
  const answer = connection.send({ kind: 'play', since: 3, move: 'red 3' });
  const first = wire().sent.at(-1);
  wire().breaks();
  expect(standings.at(-1)).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1000);
  expect(wires).toHaveLength(2);
  wire().greets();
  expect(wire().sent.at(-1)).toEqual(first);
  wire().says({ kind: 'done', id: first?.id, version: 8 });
  await expect(answer).resolves.toMatchObject({ kind: 'done' });
  wire().breaks();
  await vi.advanceTimersByTimeAsync(1000);
  wire().greets();
  expect(wire().kinds).toEqual(['hello', 'hello'].slice(1));
});

test('a silent connection is asked after 10 seconds and given up after 20', async () => {
  wire().greets();
  await vi.advanceTimersByTimeAsync(11_500);
  expect(wire().kinds).toContain('ping');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(wires).toHaveLength(2);
  expect(wire(0).isClosed).toBe(true);
});

test('one that answers stays', async () => {
  wire().greets();
  for (let n = 0; n < 10; n++) {
    await vi.advanceTimersByTimeAsync(9_000);
    wire().says({ kind: 'ping' });
  }
  expect(wires).toHaveLength(1);
  expect(wire().kinds).toContain('pong');
});

test('on return from the background it asks at once, and connects at once where it has to', () => {
  wire().greets();
  connection.wake();
  expect(wire().kinds.at(-1)).toBe('ping');
  wire().breaks();
  connection.wake();
  expect(wires).toHaveLength(2);
});

test('what seems open on return but hears nothing is given up soon', async () => {
  wire().greets();
  connection.wake();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(wires).toHaveLength(2);
});

test('on return it stays with a connection that answers', async () => {
  wire().greets();
  connection.wake();
  wire().says({ kind: 'pong' });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(wires).toHaveLength(1);
});

test('one that does not get through is given up', async () => {
  await vi.advanceTimersByTimeAsync(7_000);
  expect(wires).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(wires).toHaveLength(2);
});

test('a page in the background, which may look once a minute, stays with a connection that is heard', async () => {
  wire().greets();
  for (let minute = 0; minute < 10; minute++) {
    vi.setSystemTime(Date.now() + 59_000); // the timers stand still meanwhile
    wire().says({ kind: 'ping' });
    await vi.advanceTimersByTimeAsync(1000);
    wire().says({ kind: 'pong' });
  }
  expect(wires).toHaveLength(1);
});

test('after a jump of the clock it connects anew', async () => {
  wire().greets();
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(wires).toHaveLength(2);
});

test('it waits longer after each failure, and never for ever', async () => {
  const waits: number[] = [];
  for (let n = 1; n <= 12; n++) {
    const before = Date.now();
    wire().breaks();
    while (wires.length === n) await vi.advanceTimersByTimeAsync(50);
    waits.push(Date.now() - before);
  }
  expect(waits[0]).toBeLessThanOrEqual(300);
  expect(waits[11]).toBeGreaterThan(7_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(15_050);
});

test.each([
  ['a bye that is meant', () => wire().says({ kind: 'bye', code: 'moved', text: '', again: false })],
  ['a close that is final', () => wire().breaks(4003)],
])('%s ends it', async (_, end) => {
  wire().greets();
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(standings.at(-1)).toBe('ended');
  expect(wires).toHaveLength(1);
});

test('events of an old connection are not heard', () => {
  const old = wire();
  old.greets();
  const listening = old.onmessage;
  old.breaks();
  listening?.({ data: JSON.stringify({ kind: 'here', seats: ['A'] }) } as MessageEvent<string>);
  expect(heard).toEqual([]);
});
