/** Fits names onto a card, in up to a few lines. */

interface FittedText {
  /** A line that is nearly as wide as the card has a fixed length, since fonts differ. */
  lines: { text: string; length?: number; }[];
  size: number;
}

const NARROW = /[iljtfrI1.,'’!:()-]/;
const WIDE = /[mwMWÄÖÜ@%]/;
/** Chinese and Japanese characters are as wide as they are high. */
const SQUARE = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]/;
/** Kana and punctuation that must not start a line. */
const NEVER_FIRST = /^[ぁぃぅぇぉっゃゅょァィゥェォッャュョー・、。」）！？]/;
const SOFT_HYPHEN = '\u00ad';

export function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (SQUARE.test(character)) return 1;
  if (NARROW.test(character)) return 0.36;
  if (WIDE.test(character)) return 0.84;
  return character === character.toLowerCase() ? 0.56 : 0.66;
}

export interface Space {
  width: number;
  height: number;
  lines: number;
  largest: number;
  least: number;
}

/** The name in the largest font size that fits into the space; if the least size is too large, the lines are squeezed. */
export function fitText(name: string, language: string, space: Space): FittedText {
  const pieces = piecesOf(name, language);
  let best: string[] = [];
  let size = 0;
  for (let count = 1; count <= Math.min(space.lines, pieces.length); count += 1) {
    const lines = balanced(pieces, count);
    const fitting = Math.min(space.largest, space.height / count, space.width / Math.max(...lines.map(widthOf)));
    if (fitting > size * 1.12) [best, size] = [lines, fitting];
  }
  const chosen = Math.max(size, space.least);
  return { size: chosen, lines: best.map((text) => ({ text, length: lengthOf(text, chosen, space.width) })) };
}

function lengthOf(text: string, size: number, width: number): number | undefined {
  const length = widthOf(text) * size;
  return length > width * 0.75 ? Math.min(length, width) : undefined;
}

/** The name cut where a line may break; Japanese is cut between its words. */
function piecesOf(name: string, language: string): string[] {
  const words = name.split(/(?<=[\s\-–・])|(?<=\u00ad)/);
  if (!SQUARE.test(name)) return words;
  const pieces: string[] = [];
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(name)) {
    if (pieces.length && NEVER_FIRST.test(segment)) pieces.push(`${pieces.pop() ?? ''}${segment}`);
    else pieces.push(segment);
  }
  return pieces;
}

/** The pieces in `count` lines, with the longest line as short as possible. */
function balanced(pieces: string[], count: number): string[] {
  if (count === 1) return [joined(pieces, true)];
  let best: string[] = [];
  let least = Infinity;
  for (let cut = 1; cut <= pieces.length - count + 1; cut += 1) {
    const lines = [joined(pieces.slice(0, cut), false), ...balanced(pieces.slice(cut), count - 1)];
    const longest = Math.max(...lines.map(widthOf));
    if (longest < least) [best, least] = [lines, longest];
  }
  return best;
}

function joined(pieces: string[], last: boolean): string {
  const text = pieces.join('');
  const hyphen = !last && text.endsWith(SOFT_HYPHEN) ? '-' : '';
  return text.replaceAll(SOFT_HYPHEN, '').trim() + hyphen;
}
