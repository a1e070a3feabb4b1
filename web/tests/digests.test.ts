import { expect, test } from 'vitest';
import { canonicalJson, HistoryDigests, NO_NOTES } from '../src/lib/digests';
import chained from './frantic_with_chain.json';

const NOTE = { kind: 'größe 札', z: { '9': [true, null, -3], '10': 1 }, a: '\n"\u2028' };

test('canonical JSON has no spaces, and its keys are sorted at every level', () => {
  expect(canonicalJson(NOTE)).toBe('{"a":"\\n\\"\u2028","kind":"größe 札","z":{"10":1,"9":[true,null,-3]}}');
});

test('the digest of a history is the one that Python computes', () => {
  const history = new HistoryDigests();
  history.replaceFrom(0, [NOTE]);
  expect(history.after(1)).toBe('f1e0d681d8e7dd4b9e97a4cac1748a6ff489f523823f475f4fbb8583ffba2c39');
  history.replaceFrom(0, chained.half.notes);
  expect(history.after(history.count)).toBe(chained.half.shown);
});

test('a history continues after any of its notes', () => {
  const whole = new HistoryDigests();
  whole.replaceFrom(0, chained.half.notes);
  const inParts = new HistoryDigests();
  inParts.replaceFrom(0, chained.half.notes.slice(0, 8));
  inParts.replaceFrom(5, chained.half.notes.slice(5));
  expect(inParts.count).toBe(12);
  expect(inParts.after(12)).toBe(whole.after(12));
  expect(inParts.after(13)).toBe('');
  inParts.replaceFrom(0, []);
  expect(inParts.after(0)).toBe(NO_NOTES);
});
