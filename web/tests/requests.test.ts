import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  OFFLINE,
  RequestError,
  chairsFor,
  claimSeat,
  deviceAddress,
  openTable,
  tableAddress,
  takeSeat,
  tableProblem,
  defaultPlayers,
} from '../src/lib/requests';

const TAKEN = { table: 'k7mwx3qp2', seat: 'B', invite: 'secret' };
let answers: (() => Response)[] = [];
let sent: { path: string; body: unknown }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  answers = [];
  sent = [];
  vi.stubGlobal('fetch', (path: string, wish?: RequestInit) => {
    sent.push({ path, body: wish?.body ? JSON.parse(String(wish.body)) : null });
    const answer = answers.shift();
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('no connection'));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answer = (body: unknown, status = 200) => (): Response => new Response(JSON.stringify(body), { status });
const denial = (code: string, status: number) => answer({ code, text: 'A sentence.' }, status);
const lost = (): never => {
  throw new TypeError('no connection');
};

/** The result or the error, without waiting for retries. */
async function outcome<T>(asked: Promise<T>): Promise<T | RequestError> {
  const caught = asked.catch((error: unknown) => error as RequestError);
  await vi.runAllTimersAsync();
  return caught;
}

test('a retry for a seat has the same id', async () => {
  answers = [lost, denial('busy', 503), answer(TAKEN, 201)];
  expect(await outcome(takeSeat('k7mwx3qp2', { name: 'Ben', invite: 'secret' }))).toEqual(TAKEN);
  expect(sent).toHaveLength(3);
  expect(sent[0]?.path).toBe('/api/tables/k7mwx3qp2/seats');
  expect(sent[0]?.body).toMatchObject({ name: 'Ben', invite: 'secret' });
  expect(sent[0]?.body).toEqual(sent[2]?.body);
  expect((sent[0]?.body as { id: string }).id).toMatch(/^[0-9a-f]{32}$/);
});

test('a claim is retried as well', async () => {
  answers = [lost, answer(TAKEN)];
  expect(await outcome(claimSeat('k7mwx3qp2', 'code'))).toEqual(TAKEN);
  expect(sent[0]?.body).toEqual(sent[1]?.body);
});

test('opening a table is not retried', async () => {
  const error = await outcome(openTable({ game: 'kirifu', name: 'Ben' }));
  expect(error).toBeInstanceOf(RequestError);
  expect((error as RequestError).code).toBe(OFFLINE);
  expect(sent).toHaveLength(1);
});

test('a denial is not retried, and keeps its code', async () => {
  answers = [denial('taken', 409)];
  const error = await outcome(takeSeat('k7mwx3qp2', { name: 'Ben' }));
  expect(error).toMatchObject({ code: 'taken', message: 'A sentence.' });
  expect(sent).toHaveLength(1);
});

test('an answer from a proxy is retried', async () => {
  answers = [() => new Response('<h1>Bad gateway</h1>', { status: 502 }), answer(TAKEN)];
  expect(await outcome(takeSeat('k7mwx3qp2', { name: 'Ben' }))).toEqual(TAKEN);
});

test('a table without a record has no problem', async () => {
  answers = [denial('no record', 404), denial('no table', 404), answer({})];
  expect(await tableProblem('k7mwx3qp2')).toBe('');
  expect(await tableProblem('k7mwx3qp2')).toBe('no table');
  expect(await tableProblem('k7mwx3qp2')).toBe('');
  expect(await tableProblem('k7mwx3qp2')).toBe(OFFLINE);
});

test('four players are the default, where the game allows it', () => {
  expect(defaultPlayers([2, 8])).toBe(4);
  expect(defaultPlayers([2, 3])).toBe(3);
  expect(defaultPlayers([5, 6])).toBe(5);
});

test('every player has a chair, the first is one’s own', () => {
  expect(chairsFor(3, 'thumb')).toEqual(['me', 'thumb', 'thumb']);
  expect(chairsFor(2, 'open')).toEqual(['me', 'open']);
});

test('secrets are in the fragment of the address, which browsers do not send', () => {
  expect(tableAddress('k7mwx3qp2', 'secret')).toBe('/t/k7mwx3qp2#secret');
  expect(tableAddress('k7mwx3qp2', '')).toBe('/t/k7mwx3qp2');
  expect(deviceAddress('k7mwx3qp2', 'code')).toBe('/d/k7mwx3qp2#code');
});
