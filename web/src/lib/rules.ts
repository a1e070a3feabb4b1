/** A rules page as it is read: marked words, links from rule to rule, and what a search finds. */

import type { Block } from './protocol';
import { escaped } from './wording';

/** A stretch of a text that is shown in one way; a rule is a link to its paragraph. */
export interface Piece {
  kind: 'text' | 'code' | 'emphasis' | 'strong' | 'rule';
  text: string;
}

/** A stretch of a text that was searched for, or one between such. */
export interface Stretch {
  text: string;
  isFound: boolean;
}

/** A block with its place in the page, which is how links find it. */
export interface Part {
  block: Block;
  place: number;
}

const MARKS = /\*\*(\S|\S.*?\S)\*\*|\*([^\s*]|[^\s*].*?[^\s*])\*|`([^`]+)`|(?<![\w-])([A-Z]+-\d+)(?!\w)/g;

/** The text without its marks, in pieces; only rules of the page become links. */
export function pieces(text: string, rules: ReadonlySet<string>): Piece[] {
  const found: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, strong, emphasis, code, rule] = match;
    if (rule !== undefined && !rules.has(rule)) continue;
    if (match.index > done) found.push({ kind: 'text', text: text.slice(done, match.index) });
    if (strong !== undefined) found.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) found.push({ kind: 'emphasis', text: emphasis });
    else if (code !== undefined) found.push({ kind: 'code', text: code });
    else found.push({ kind: 'rule', text: whole });
    done = match.index + whole.length;
  }
  if (done < text.length) found.push({ kind: 'text', text: text.slice(done) });
  return found;
}

export function rulesIn(page: Block[]): Set<string> {
  return new Set(page.map((block) => block.id ?? '').filter(Boolean));
}

/** What the page is divided into: its headings, and titles after the first. */
export function contents(page: Block[]): Part[] {
  return page
    .map((block, place) => ({ block, place }))
    .filter(({ block, place }) => block.kind === 'heading' || (block.kind === 'title' && place > 0));
}

// Searching ---------------------------------------------------------------------------------------

/** The words of a search as patterns: wide letters are as good as narrow ones, and every dash as good as a minus. */
export function patternsOf(query: string): RegExp[] {
  const words = query.normalize('NFKC').split(/\s+/).filter(Boolean);
  return words.map((word) => new RegExp(escaped(word).replaceAll(/[-−–]/g, '[-−–]'), 'giu'));
}

/** The blocks in which all words stand, under their titles and headings; all blocks where nothing is searched. */
export function search(page: Block[], patterns: RegExp[]): Part[] {
  const parts = page.map((block, place) => ({ block, place }));
  if (patterns.length === 0) return parts;
  const wanted: Part[] = [];
  let title: Part | null = null;
  let heading: Part | null = null;
  for (const part of parts) {
    if (part.block.kind === 'title') [title, heading] = [part, null];
    else if (part.block.kind === 'heading') heading = part;
    else if (patterns.every((pattern) => textOf(part.block).search(pattern) >= 0)) {
      if (title) wanted.push(title);
      if (heading) wanted.push(heading);
      wanted.push(part);
      title = heading = null;
    }
  }
  return wanted;
}

/** How many of the parts are more than titles and headings. */
export function countFound(parts: Part[]): number {
  return parts.filter(({ block }) => block.kind !== 'title' && block.kind !== 'heading').length;
}

function textOf(block: Block): string {
  const texts = [block.id, block.title, block.text, ...(block.items ?? []), ...(block.rows ?? []).flat()];
  return texts.map((text) => (text ?? '').replaceAll(/[*`]/g, '')).join('\n');
}

/** The text cut where something that is searched for begins and ends. */
export function stretches(text: string, patterns: RegExp[]): Stretch[] {
  const marked = new Array<boolean>(text.length).fill(false);
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) marked.fill(true, match.index, match.index + match[0].length);
  }
  const found: Stretch[] = [];
  for (let start = 0, end = 1; start < text.length; start = end, end += 1) {
    while (end < text.length && marked[end] === marked[start]) end += 1;
    found.push({ text: text.slice(start, end), isFound: marked[start] === true });
  }
  return found;
}
