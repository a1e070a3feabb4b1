/** A rules page: its markup, links from rule to rule, and the search. */

import type { Block } from './protocol';
import { escapeRegExp } from './wording';

/** A piece of text with one kind of markup; a rule is a link to its paragraph. */
export interface Piece {
  kind: 'text' | 'code' | 'emphasis' | 'strong' | 'rule';
  text: string;
}

/** A piece of text that is highlighted, or one between two such. */
export interface Highlight {
  text: string;
  isFound: boolean;
}

/** A block with its index in the page, from which its element id is made. */
interface IndexedBlock {
  block: Block;
  index: number;
}

const MARKUP = /\*\*(\S|\S.*?\S)\*\*|\*([^\s*]|[^\s*].*?[^\s*])\*|`([^`]+)`|(?<![\w-])([A-Z]+-\d+)(?!\w)/g;

/** The text without its markup, in pieces; only rules of this page become links. */
export function parseMarkup(text: string, rules: ReadonlySet<string>): Piece[] {
  const found: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(MARKUP)) {
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

/** The table of contents: all headings, and all titles but the first. */
export function contents(page: Block[]): IndexedBlock[] {
  return page
    .map((block, index) => ({ block, index }))
    .filter(({ block, index }) => block.kind === 'heading' || (block.kind === 'title' && index > 0));
}

// Search ------------------------------------------------------------------------------------------

/** A pattern for each word of a query; full-width letters equal normal ones, and all dashes are alike. */
export function patternsOf(query: string): RegExp[] {
  const words = query.normalize('NFKC').split(/\s+/).filter(Boolean);
  return words.map((word) => new RegExp(escapeRegExp(word).replaceAll(/[-−–]/g, '[-−–]'), 'giu'));
}

/** The blocks that contain all words, with their titles and headings; all blocks if nothing is searched for. */
export function search(page: Block[], patterns: RegExp[]): IndexedBlock[] {
  const all = page.map((block, index) => ({ block, index }));
  if (patterns.length === 0) return all;
  const found: IndexedBlock[] = [];
  let title: IndexedBlock | null = null;
  let heading: IndexedBlock | null = null;
  for (const one of all) {
    if (one.block.kind === 'title') [title, heading] = [one, null];
    else if (one.block.kind === 'heading') heading = one;
    else if (patterns.every((pattern) => textOf(one.block).search(pattern) >= 0)) {
      if (title) found.push(title);
      if (heading) found.push(heading);
      found.push(one);
      title = heading = null;
    }
  }
  return found;
}

/** How many blocks there are besides titles and headings. */
export function countFound(blocks: IndexedBlock[]): number {
  return blocks.filter(({ block }) => block.kind !== 'title' && block.kind !== 'heading').length;
}

function textOf(block: Block): string {
  const texts = [block.id, block.title, block.text, ...(block.items ?? []), ...(block.rows ?? []).flat()];
  return texts.map((text) => (text ?? '').replaceAll(/[*`]/g, '')).join('\n');
}

/** The text cut into pieces where matches of the patterns begin and end. */
export function highlight(text: string, patterns: RegExp[]): Highlight[] {
  const marked = new Array<boolean>(text.length).fill(false);
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) marked.fill(true, match.index, match.index + match[0].length);
  }
  const found: Highlight[] = [];
  for (let start = 0, end = 1; start < text.length; start = end, end += 1) {
    while (end < text.length && marked[end] === marked[start]) end += 1;
    found.push({ text: text.slice(start, end), isFound: marked[start] === true });
  }
  return found;
}
