import { expect, test } from 'vitest';
import { Wording, templateOf } from '../src/lib/wording';
import { book } from './small_book';

const common = { nobody: 'nobody', nothing: 'nothing', comma: ', ' };

function wording(language: 'en' | 'de' | 'ja' = 'en', family = false): Wording {
  return new Wording(book(language), { A: 'Anna', B: 'Ben', C: 'Cleo' }, family, common);
}

test('the template is the most specific one for the facts', () => {
  const words = { draw: 'many', 'draw, number 1': 'one', 'draw, cards': 'these', 'draw, cards, number 1': 'this' };
  expect(templateOf(words, 'draw', { cards: [], number: 3 })).toBe('many');
  expect(templateOf(words, 'draw', { number: 1 })).toBe('one');
  expect(templateOf(words, 'draw', { cards: ['red 1', 'red 2'], number: 2 })).toBe('these');
  expect(templateOf(words, 'draw', { cards: ['red 1'], number: 1 })).toBe('this');
  expect(templateOf(words, 'play', {})).toBeUndefined();
  expect(templateOf({ toString: 'x' }, 'constructor', {})).toBeUndefined();
});

test('a note is worded with the names of players and cards', () => {
  expect(wording().plain(wording().note({ kind: 'play', seat: 'B', card: 'red 3' }))).toBe('Ben plays red 3.');
  const german = wording('de');
  expect(german.plain(german.note({ kind: 'play', seat: 'B', card: 'red 3' }))).toBe('Ben spielt Rot 3.');
});

test('lists are formatted for the language', () => {
  const facts = { kind: 'show', seat: 'A', cards: ['red 3', 'blue 4', 'rude'] };
  expect(wording().plain(wording().note(facts))).toBe('Anna shows red 3, blue 4 and rude.');
  expect(wording('de').plain(wording('de').note(facts))).toBe('Anna zeigt Rot 3, Blau 4 und Unhöflich.');
  expect(wording('ja').plain(wording('ja').note(facts))).toBe('Annaは赤の3、青の4、失礼を見せた。');
  expect(wording().plain(wording().note({ ...facts, cards: [] }))).toBe('Anna shows nothing.');
});

test('points are listed by seat, with a real minus sign', () => {
  const facts = { kind: 'score', points: { A: 3, B: -2 } };
  expect(wording().plain(wording().note(facts))).toBe('Points: Anna 3, Ben −2.');
});

test('the family setting replaces rude names', () => {
  const family = wording('en', true);
  expect(family.plain(family.note({ kind: 'play', seat: 'A', card: 'rude' }))).toBe('Anna plays polite.');
  expect(family.mild('Rude is never given; RUDE it stays.')).toBe('Polite is never given; Polite it stays.');
  expect(wording().mild('Rude')).toBe('Rude');
});

test('a refusal lists its facts', () => {
  const facts = { held: ['red 3', 'blue 4'], move: 'red 4' };
  expect(wording().plain(wording().refusal('T-1', facts))).toBe('Follow. You hold red 3 and blue 4.');
  expect(wording('de').plain(wording('de').refusal('T-1', facts))).toBe('Bedienen. Du hast Rot 3 und Blau 4.');
});

test('suits, terms and compound moves are translated', () => {
  const german = wording('de');
  expect(german.plain(german.move('red'))).toBe('Rot');
  expect(german.plain(german.move('pass'))).toBe('Passen');
  expect(german.plain(german.move('red 3 + blue 4'))).toBe('Rot 3 und Blau 4');
  expect(german.plain(german.move('unheard of'))).toBe('unheard of');
});

test('names of players are not parsed as templates', () => {
  const odd = new Wording(book('en'), { A: '{card} <b>' }, false, common);
  expect(odd.plain(odd.note({ kind: 'play', seat: 'A', card: 'red 3' }))).toBe('{card} <b> plays red 3.');
});
