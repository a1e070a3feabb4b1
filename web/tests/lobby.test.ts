import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en'] }));

import { needsAnswer, soundFor } from '../src/lib/alerts.svelte';
import { answerProblem, botLabel, goodbyeText, errorText, denialText } from '../src/lib/labels';
import { startBlocker, optionsSet } from '../src/lib/lobby';
import type { Ask, Chair, OptionText } from '../src/lib/protocol';
import { RequestError } from '../src/lib/requests';
import type { Scene } from '../src/lib/table.svelte';
import { NOTE_ROLES } from './small_book';

const anna: Chair = { seat: 'A', kind: 'person', name: 'Anna', host: true };
const ben: Chair = { seat: 'B', kind: 'person', name: 'Ben' };
const open: Chair = { seat: 'C', kind: 'open' };
const closed: Chair = { seat: 'D', kind: 'closed' };

test('a game cannot start with open chairs or too few players', () => {
  expect(startBlocker([anna, open, open], 2)).toEqual({ kind: 'open', count: 2 });
  expect(startBlocker([anna, ben, closed], 3)).toEqual({ kind: 'too few', least: 3 });
  expect(startBlocker([anna, ben, closed], 2)).toBeNull();
});

test('the lobby lists the options with their values, but not a number that is not set', () => {
  const length: OptionText = { name: 'length', label: 'length', text: '', default: 'short', values: { short: 'short', long: 'long' } };
  const maximum: OptionText = { name: 'maximum', label: 'maximum', text: '', default: 0, high: 9999 };
  const rounds: OptionText = { name: 'rounds', label: 'rounds', text: '', low: 1, high: 100 };
  const addon: OptionText = { name: 'addon', label: 'add-on', text: '', default: true };
  const values = (chosen: Record<string, unknown>): unknown[] => optionsSet([length, maximum, rounds, addon], chosen).map(({ option, value }) => [option.name, value]);
  expect(values({})).toEqual([['length', 'short'], ['rounds', null], ['addon', true]]);
  expect(values({ maximum: 0, addon: false })).toEqual([['length', 'short'], ['rounds', null], ['addon', false]]);
  expect(values({ length: 'long', maximum: 200, rounds: 2 })).toEqual([['length', 'long'], ['maximum', 200], ['rounds', 2], ['addon', true]]);
});

test('every denial of the protocol has a text', () => {
  const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf-8');
  const table = page.slice(page.indexOf('## Denials'), page.indexOf('## A conversation'));
  const codes = [...table.matchAll(/^\| `([a-z ]+)` \|/gm)].map((found) => found[1] ?? '');
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => denialText(code) === '')).toEqual([]);
});

test('a denial says how long to wait', () => {
  const answer = { kind: 'denied', id: 'x', code: 'just left', text: '', facts: { seconds: 7 } } as const;
  expect(answerProblem(answer)).toBe('The connection was lost only just now. Wait 7 more seconds.');
});

test('a denial without words says what the server said', () => {
  expect(denialText('full')).toBe('No seat is free at this table.');
  expect(denialText('something new', 'A sentence.')).toBe('A sentence.');
  expect(errorText(new RequestError('closed', ''))).toBe('This table has been closed.');
  expect(errorText(new Error('?'))).toBe(denialText('offline'));
});

test('every end has words', () => {
  expect(goodbyeText('moved')).toBe('You are playing on another device now.');
  expect(goodbyeText('something new')).toBe('The connection to this table has ended.');
});

test('an unknown kind of bot is shown by its id', () => {
  expect(botLabel('thumb')).toBe('Experienced bot');
  expect(botLabel('oracle')).toBe('oracle');
});

// Sounds -----------------------------------------------------------------------------------

const asks = (since: number, more: Partial<Ask> = {}): Ask => ({ since, question: {}, moves: ['red 1', 'pass'], ...more });

function scene(notes: string[], ask: Ask | null = null, number = 1): Scene {
  const history = notes.map((kind) => ({ kind }));
  return { number, view: {}, told: {}, history, asked: [], answered: 0, ask, due: null, turn: 0, finished: null };
}

test('no alert where the server passes for the player', () => {
  expect(needsAnswer(null)).toBe(false);
  expect(needsAnswer(asks(1))).toBe(true);
  expect(needsAnswer(asks(1, { moves: ['pass'], reaction: true }))).toBe(false);
  expect(needsAnswer(asks(1, { moves: ['pass'] }))).toBe(true);
});

test('a question sounds once, and before other sounds', () => {
  expect(soundFor(null, scene([], asks(1)), NOTE_ROLES)).toBe('turn');
  expect(soundFor(scene([]), scene(['play'], asks(2)), NOTE_ROLES)).toBe('turn');
  expect(soundFor(scene([], asks(2)), scene([], asks(2)), NOTE_ROLES)).toBeNull();
  expect(soundFor(scene([]), scene([], asks(3, { reaction: true })), NOTE_ROLES)).toBe('reaction');
});

test('new cards and the end of a round sound, but not old history', () => {
  expect(soundFor(scene(['deal']), scene(['deal', 'play']), NOTE_ROLES)).toBe('card');
  expect(soundFor(scene(['deal']), scene(['deal', 'attack']), { attack: 'played' })).toBe('card');
  expect(soundFor(scene(['play']), scene(['play', 'play', 'score']), NOTE_ROLES)).toBe('end');
  expect(soundFor(scene(['play']), scene(['play']), NOTE_ROLES)).toBeNull();
  expect(soundFor(null, scene(['play', 'score']), NOTE_ROLES)).toBeNull();
  expect(soundFor(scene(['play'], null, 1), scene(['play', 'play'], null, 2), NOTE_ROLES)).toBeNull();
});
