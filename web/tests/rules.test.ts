import { describe, expect, it } from 'vitest';
import type { Block } from '../src/lib/protocol';
import { contents, countFound, patternsOf, parseMarkup, rulesIn, search, highlight } from '../src/lib/rules';

const PAGE: Block[] = [
  { kind: 'title', text: 'Schadenfreude' },
  { kind: 'text', text: 'A game of *tricks*.' },
  { kind: 'heading', text: 'The cards' },
  { kind: 'rule', id: 'S-1', title: 'The deal', text: 'Take the −2 out.' },
  { kind: 'table', rows: [['players', 'cards'], ['3', '38']] },
  { kind: 'heading', text: 'The trick' },
  { kind: 'rule', id: 'S-9', title: 'Who takes what', text: 'The **second** highest, see S-1.' },
  { kind: 'title', text: 'All games' },
  { kind: 'list', items: ['one `red 7`', 'another'] },
];
const RULES = rulesIn(PAGE);

function foundIn(query: string): (string | undefined)[] {
  return search(PAGE, patternsOf(query)).map(({ block }) => block.id ?? block.text ?? block.kind);
}

describe('markup', () => {
  it('is code, emphasis, strong, and rules of this page', () => {
    expect(parseMarkup('**Two** of *them*: `red 7` (S-9), not X-1.', RULES)).toEqual([
      { kind: 'strong', text: 'Two' },
      { kind: 'text', text: ' of ' },
      { kind: 'emphasis', text: 'them' },
      { kind: 'text', text: ': ' },
      { kind: 'code', text: 'red 7' },
      { kind: 'text', text: ' (' },
      { kind: 'rule', text: 'S-9' },
      { kind: 'text', text: '), not X-1.' },
    ]);
  });

  it('does not treat a single asterisk as emphasis', () => {
    expect(parseMarkup('**Thief** * (`thief`), 4 * 3', RULES).map((piece) => piece.kind)).toEqual(['strong', 'text', 'code', 'text']);
    expect(parseMarkup('2 * 3 * 4', RULES)).toEqual([{ kind: 'text', text: '2 * 3 * 4' }]);
  });

  it('finds rules next to Japanese characters, but not inside words', () => {
    expect(parseMarkup('規則S-9を見よ。', RULES)[1]).toEqual({ kind: 'rule', text: 'S-9' });
    expect(parseMarkup('S-99 XS-9', RULES)).toEqual([{ kind: 'text', text: 'S-99 XS-9' }]);
  });

  it('keeps HTML as text', () => {
    expect(parseMarkup('<img src=x>', RULES)).toEqual([{ kind: 'text', text: '<img src=x>' }]);
  });
});

describe('a page', () => {
  it('lists headings and later titles as contents', () => {
    expect(contents(PAGE).map(({ index }) => index)).toEqual([2, 5, 7]);
  });

  it('is shown whole if nothing is searched for', () => {
    expect(search(PAGE, patternsOf('  '))).toHaveLength(PAGE.length);
  });

  it('shows what was found under its headings', () => {
    expect(foundIn('second')).toEqual(['Schadenfreude', 'The trick', 'S-9']);
    expect(foundIn('38')).toEqual(['Schadenfreude', 'The cards', 'table']);
    expect(foundIn('another')).toEqual(['All games', 'list']);
    expect(foundIn('nowhere')).toEqual([]);
    expect(countFound(search(PAGE, patternsOf('s-1')))).toBe(2);
  });

  it('finds all words, in any case, with any dash, and wide letters', () => {
    expect(foundIn('SECOND who')).toEqual(['Schadenfreude', 'The trick', 'S-9']);
    expect(foundIn('-2')).toContain('S-1');
    expect(foundIn('Ｓ-９')).toContain('S-9');
    expect(foundIn('a(')).toEqual([]);
  });
});

describe('highlights', () => {
  it('cover all matches, also overlapping ones', () => {
    expect(highlight('The trick', patternsOf('tri rick'))).toEqual([
      { text: 'The ', isFound: false },
      { text: 'trick', isFound: true },
    ]);
    expect(highlight('', patternsOf('x'))).toEqual([]);
  });
});
