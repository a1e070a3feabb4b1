import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en'] }));

import { isWanted, soundOf } from '../src/lib/alerts.svelte';
import { botLabel, farewellOf, reasonIn, reasonOf } from '../src/lib/labels';
import { hindranceOf, isHosting } from '../src/lib/lobby';
import type { Ask, Chair } from '../src/lib/protocol';
import { Trouble } from '../src/lib/requests';
import type { Scene } from '../src/lib/table.svelte';

const anna: Chair = { seat: 'A', kind: 'person', name: 'Anna', host: true };
const ben: Chair = { seat: 'B', kind: 'person', name: 'Ben' };
const open: Chair = { seat: 'C', kind: 'open' };
const closed: Chair = { seat: 'D', kind: 'closed' };

test('a game waits for empty chairs, and for as many as it needs', () => {
  expect(hindranceOf([anna, open, open], 2)).toEqual({ kind: 'open', count: 2 });
  expect(hindranceOf([anna, ben, closed], 3)).toEqual({ kind: 'too few', least: 3 });
  expect(hindranceOf([anna, ben, closed], 2)).toBeNull();
});

test('the host decides, and others only while the host is away', () => {
  expect(isHosting([anna, ben], 'A', ['A', 'B'])).toBe(true);
  expect(isHosting([anna, ben], 'B', ['A', 'B'])).toBe(false);
  expect(isHosting([anna, ben], 'B', ['B'])).toBe(true);
  expect(isHosting([anna, ben], null, [])).toBe(false);
});

test('every denial of the protocol has words of its own', () => {
  const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf-8');
  const table = page.slice(page.indexOf('## Denials'), page.indexOf('## A conversation'));
  const codes = [...table.matchAll(/^\| `([a-z ]+)` \|/gm)].map((found) => found[1] ?? '');
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => reasonOf(code) === '')).toEqual([]);
});

test('a denial without words says what the server said', () => {
  expect(reasonOf('full')).toBe('No seat is free at this table.');
  expect(reasonOf('something new', 'A sentence.')).toBe('A sentence.');
  expect(reasonIn(new Trouble('closed', ''))).toBe('This table has been closed.');
  expect(reasonIn(new Error('?'))).toBe(reasonOf('offline'));
});

test('every end has words', () => {
  expect(farewellOf('moved')).toBe('You play on another device now.');
  expect(farewellOf('something new')).toBe('The connection to this table has ended.');
});

test('a bot that nobody has named goes by its kind', () => {
  expect(botLabel('thumb')).toBe('Experienced bot');
  expect(botLabel('oracle')).toBe('oracle');
});

// What is heard -----------------------------------------------------------------------------------

const asks = (since: number, more: Partial<Ask> = {}): Ask => ({ since, question: {}, moves: ['red 1', 'pass'], ...more });

function scene(notes: string[], ask: Ask | null = null, number = 1): Scene {
  const history = notes.map((kind) => ({ kind }));
  return { number, view: {}, told: {}, history, asked: [], answered: 0, ask, due: null, turn: 0, finished: null };
}

test('nobody is called where the server passes for them', () => {
  expect(isWanted(null)).toBe(false);
  expect(isWanted(asks(1))).toBe(true);
  expect(isWanted(asks(1, { moves: ['pass'], reaction: true }))).toBe(false);
  expect(isWanted(asks(1, { moves: ['pass'] }))).toBe(true);
});

test('a question is heard once, and before anything else', () => {
  expect(soundOf(null, scene([], asks(1)))).toBe('turn');
  expect(soundOf(scene([]), scene(['play'], asks(2)))).toBe('turn');
  expect(soundOf(scene([], asks(2)), scene([], asks(2)))).toBeNull();
  expect(soundOf(scene([]), scene([], asks(3, { reaction: true })))).toBe('reaction');
});

test('cards and the end of a round are heard as they come, but not a history that is told anew', () => {
  expect(soundOf(scene(['deal']), scene(['deal', 'play']))).toBe('card');
  expect(soundOf(scene(['play']), scene(['play', 'play', 'score']))).toBe('end');
  expect(soundOf(scene(['play']), scene(['play']))).toBeNull();
  expect(soundOf(null, scene(['play', 'score']))).toBeNull();
  expect(soundOf(scene(['play'], null, 1), scene(['play', 'play'], null, 2))).toBeNull();
});
