import { describe, expect, test } from 'vitest';
import type { Book, Card } from '../src/lib/protocol';
import { designOf } from '../src/designs';
import { colourOf } from '../src/designs/colours';
import { letterOf } from '../src/designs/suit_letters';
import { fitText, widthOf, type Space } from '../src/designs/text_layout';
import { numeralsOf } from '../src/designs/numerals';
import { CARD_WIDTH, type Palette } from '../src/designs/shapes';
import { withMinusSign } from '../src/lib/wording';
import { book as small } from './small_book';

const LANGUAGES = ['en', 'de', 'ja'] as const;
type Names = [english: string, german: string, japanese: string];

interface Deck {
  suits: Record<string, Names>;
  ranks: string[];
  /** Suits that have other ranks. */
  special?: Record<string, string[]>;
  others: string[];
}

const FOUR_COLOURS: Record<string, Names> = {
  red: ['red', 'Rot', '赤'],
  yellow: ['yellow', 'Gelb', '黄'],
  green: ['green', 'Grün', '緑'],
  blue: ['blue', 'Blau', '青'],
};

const TWO_COLOURS: Record<string, Names> = {
  'red-yellow': ['red-yellow', 'Rot-Gelb', '赤・黄'],
  'red-green': ['red-green', 'Rot-Grün', '赤・緑'],
  'red-blue': ['red-blue', 'Rot-Blau', '赤・青'],
  'yellow-green': ['yellow-green', 'Gelb-Grün', '黄・緑'],
  'yellow-blue': ['yellow-blue', 'Gelb-Blau', '黄・青'],
  'green-blue': ['green-blue', 'Grün-Blau', '緑・青'],
};

const COLOURED = ['2nd chance', 'exchange', 'skip', 'gift', 'thief', 'troublemaker'];
const SWAPS = Object.fromEntries(Object.keys(TWO_COLOURS).map((suit) => [suit, ['colour swap']]));
const COLOURLESS =
  'fantastic|fantastic four|counterattack|equality|inequality|special favours|nice try|lucky bastard|mimicry|curse|fuck you';
const EVENTS =
  'charity|communism|doomsday|earthquake|expansion|finish line|friday the 13th|gambling man|market|mating season|' +
  'merry christmas|mexican standoff|recession|robin hood|surprise party|the all-seeing eye|third time lucky|time bomb|' +
  'tornado|vandalism|black hole|capitalism|crowdfunding|distributor|double taxation|event manager|identity theft|' +
  'last chance|plague|plus one|repeat|russian roulette|seppuku|trust fall';

const DECKS: Record<string, Deck> = {
  schadenfreude: {
    suits: {
      sword: ['sword', 'Schwert', '剣'],
      flag: ['flag', 'Flagge', '旗'],
      shield: ['shield', 'Schild', '盾'],
      helmet: ['helmet', 'Helm', '兜'],
      wild: ['wild', 'Joker', 'ワイルド'],
    },
    ranks: numbers(-3, 10),
    others: [],
  },
  cursed_tricks: {
    suits: {
      purple: ['purple', 'Lila', '紫'],
      green: ['green', 'Grün', '緑'],
      red: ['red', 'Rot', '赤'],
      yellow: ['yellow', 'Gelb', '黄'],
    },
    ranks: numbers(1, 14),
    others: [],
  },
  shinigami_preschool: { suits: FOUR_COLOURS, ranks: numbers(1, 9), others: [] },
  frantic: {
    suits: { ...FOUR_COLOURS, black: ['black', 'Schwarz', '黒'], ...TWO_COLOURS },
    ranks: [...numbers(1, 9), ...COLOURED],
    special: { ...SWAPS, black: numbers(1, 9) },
    others: [...COLOURLESS.split('|'), ...EVENTS.split('|')],
  },
  kirifu: {
    suits: {
      spade: ['spade', 'Pik', 'スペード'],
      heart: ['heart', 'Herz', 'ハート'],
      diamond: ['diamond', 'Karo', 'ダイヤ'],
      club: ['club', 'Kreuz', 'クラブ'],
    },
    ranks: [...numbers(2, 11), 'A'],
    others:
      'locksmith|monk|drummer|peddler|juggler|fisher|turncoat|pathfinder|sleeper|watchman'.split('|'),
  },
};

function numbers(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, more) => String(first + more));
}

function loadBook(game: string, deck: Deck, language: (typeof LANGUAGES)[number]): Book {
  const suits = Object.entries(deck.suits).map(([suit, names]) => {
    return [suit, { name: names[LANGUAGES.indexOf(language)] ?? '', symbol: '?', colour: 'red' }] as const;
  });
  const cards: Card[] = Object.keys(deck.suits).flatMap((suit) =>
    (deck.special?.[suit] ?? deck.ranks).map((rank) => ({ id: `${suit} ${rank}`, name: `${suit} ${rank}`, suit, rank })),
  );
  const others: Card[] = deck.others.map((name) => ({ id: name, name, rank: name }));
  return { ...small(language), id: game, suits: Object.fromEntries(suits), cards: [...cards, ...others] };
}

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(colour: string): number {
  const parts = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const TEXT = 4.5;
const PICTURE = 3;

describe.each(Object.entries(DECKS))('%s', (game, deck) => {
  const design = designOf(game);
  const english = loadBook(game, deck, 'en');

  test('the game has a design of its own', () => {
    expect(design).not.toBe(designOf('another game'));
  });

  test.each(Object.keys(deck.suits).filter((suit) => !suit.includes('-')))('%s has a symbol that stands out', (suit) => {
    const { symbol, palette } = design.suit(suit, english);
    const tones = symbol.flatMap((shape) => [shape.fill, shape.stroke]).filter((tone) => tone !== 'none');
    const strongest = Math.max(...tones.map((tone) => contrast(colourOf(tone, palette), palette.paper)));
    expect(strongest).toBeGreaterThanOrEqual(PICTURE);
  });

  test('every card has a drawn rank or an icon, and all text has enough contrast', () => {
    for (const card of english.cards) {
      const face = design.face(card, english);
      const drawn = numeralsOf(face.rank, design.pen) !== undefined || face.icon.length > 0;
      expect(drawn, card.id).toBe(true);
      const palettes: Palette[] = [face.palette, face.foot ?? face.palette, ...face.marks.map((sign) => sign.palette)];
      for (const palette of palettes) expect(contrast(palette.ink, palette.paper), card.id).toBeGreaterThanOrEqual(TEXT);
      for (const sign of face.marks) expect(sign.letter, card.id).not.toBe('');
    }
  });

  test('a card without a rank has its name printed', () => {
    for (const card of english.cards) {
      const face = design.face(card, english);
      if (!face.rank) expect(face.name, card.id).not.toBe('');
    }
  });

  test('no two cards look the same', () => {
    const faces = english.cards.map((card) => JSON.stringify({ ...design.face(card, english), name: '' }));
    expect(new Set(faces).size).toBe(faces.length);
  });

  test.each(LANGUAGES)('its suits have different letters (%s)', (language) => {
    const book = loadBook(game, deck, language);
    const letters = Object.keys(book.suits).map((suit) => letterOf(suit, book)).filter(Boolean);
    expect(new Set(letters).size).toBe(Object.keys(book.suits).filter((suit) => !suit.includes('-')).length);
    for (const letter of letters) expect(letter.length).toBeLessThanOrEqual(2);
  });

  test('ranks are at least 14 px high on a card 44 px wide', () => {
    expect(((24 + design.pen.width) * 44) / CARD_WIDTH).toBeGreaterThanOrEqual(14);
  });
});

test('suits with the same first letter get two letters', () => {
  const book = loadBook('schadenfreude', DECKS.schadenfreude as Deck, 'de');
  expect(['sword', 'shield', 'flag'].map((suit) => letterOf(suit, book))).toEqual(['Sw', 'Si', 'F']);
});

test('a card of two colours shows both', () => {
  const book = loadBook('frantic', DECKS.frantic as Deck, 'de');
  const face = designOf('frantic').face({ id: 'green-blue colour swap', name: '', suit: 'green-blue', rank: 'Colour Swap' }, book);
  expect(face.marks.map((sign) => sign.letter)).toEqual(['Gr', 'B']);
  expect(face.name).toBe('Colour Swap');
});

test('an event whose name begins with a colour is drawn as an event', () => {
  const book = loadBook('frantic', DECKS.frantic as Deck, 'en');
  const event = designOf('frantic').face({ id: 'plague', name: 'plague' }, book);
  const hole = designOf('frantic').face({ id: 'black hole', name: 'black hole', suit: 'black', rank: 'hole' }, book);
  expect(hole.palette).toEqual(event.palette);
});

test.each(LANGUAGES)('any other game is shown by what its book says (%s)', (language) => {
  const book = small(language);
  const design = designOf(book.id);
  for (const card of book.cards) {
    const face = design.face(card, book);
    expect(contrast(face.palette.ink, face.palette.paper)).toBeGreaterThanOrEqual(TEXT);
    expect(face.rank || face.name).not.toBe('');
    expect(face.marks.map((sign) => sign.glyph)).toEqual(card.suit ? [book.suits[card.suit]?.symbol] : []);
  }
});

test('a negative rank has a minus sign', () => {
  expect([withMinusSign('-3'), withMinusSign('3'), withMinusSign('A')]).toEqual(['−3', '3', 'A']);
});

describe('names', () => {
  const space: Space = { width: 78, height: 33, lines: 3, largest: 17, least: 11 };

  test('short names have one line, longer ones more', () => {
    expect(fitText('Skip', 'en', space).lines.map((line) => line.text)).toEqual(['Skip']);
    expect(fitText('Fantastic Four', 'en', space).lines.map((line) => line.text)).toEqual(['Fantastic', 'Four']);
  });

  test('a soft hyphen is shown only at the end of a line', () => {
    const hyphenated = 'Counter\u00adattack';
    expect(fitText(hyphenated, 'de', space).lines.map((line) => line.text)).toEqual(['Counter-', 'attack']);
    expect(fitText('Farb\u00adton', 'de', space).lines.map((line) => line.text)).toEqual(['Farbton']);
  });

  test.each([...COLOURED, 'colour swap', ...COLOURLESS.split('|'), ...EVENTS.split('|')])('%s fits without being squeezed', (name) => {
    const fitted = fitText(name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()), 'de', space);
    for (const line of fitted.lines) expect(widthOf(line.text) * fitted.size).toBeLessThanOrEqual(space.width);
  });

  test('Japanese breaks between words', () => {
    const lines = fitText('メキシカン・スタンドオフ', 'ja', space).lines.map((line) => line.text);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join('')).toBe('メキシカン・スタンドオフ');
  });

  test.each(['Donaudampfschifffahrt', 'クラウドファンディング', 'W'])('%s is never wider than the card', (name) => {
    const setting = fitText(name, 'de', space);
    for (const line of setting.lines) {
      expect(line.length ?? widthOf(line.text) * setting.size).toBeLessThanOrEqual(space.width);
    }
  });
});
