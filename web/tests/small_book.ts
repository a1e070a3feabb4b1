import type { Book } from '../src/lib/protocol';

const TEXTS = {
  en: { red: 'red', blue: 'blue', rude: 'rude', mild: 'polite', play: '{seat} plays {card}.', show: '{seat} shows {cards}.', follow: 'Follow. You hold {held}.', card: (suit: string, rank: string) => `${suit} ${rank}`, terms: {} },
  de: { red: 'Rot', blue: 'Blau', rude: 'Unhöflich', mild: 'Höflich', play: '{seat} spielt {card}.', show: '{seat} zeigt {cards}.', follow: 'Bedienen. Du hast {held}.', card: (suit: string, rank: string) => `${suit} ${rank}`, terms: { pass: 'Passen' } },
  ja: { red: '赤', blue: '青', rude: '失礼', mild: '丁寧', play: '{seat}が{card}を出した。', show: '{seat}は{cards}を見せた。', follow: 'フォロー。手札に{held}がある。', card: (suit: string, rank: string) => `${suit}の${rank}`, terms: { pass: 'パス' } },
};

export const NOTE_ROLES: Book['note_roles'] = { play: 'played', trick: 'trick ended', score: 'scored' };

/** The book of a small game, made up for tests. */
export function book(language: 'en' | 'de' | 'ja'): Book {
  const texts = TEXTS[language];
  const suits = ['red', 'blue'] as const;
  return {
    id: 'small',
    language,
    name: 'Small',
    version: '1',
    about: '',
    minutes: '5',
    players: [2, 3],
    options: [],
    suits: { red: { name: texts.red, symbol: '▲', colour: 'red' }, blue: { name: texts.blue, symbol: '◆', colour: 'blue' } },
    cards: [
      ...suits.flatMap((suit) => ['3', '4'].map((rank) => ({ id: `${suit} ${rank}`, name: texts.card(texts[suit], rank), suit, rank }))),
      { id: 'rude', name: texts.rude, rank: texts.rude, text: 'It says something.', mild: texts.mild },
    ],
    terms: texts.terms,
    questions: { play: 'Play a card.' },
    notes: { play: texts.play, show: texts.show, score: 'Points: {points}.' },
    note_roles: NOTE_ROLES,
    captions: {},
    refusals: { 'T-1': texts.follow },
    fields: [
      { name: 'round', label: 'round', kind: 'round' },
      { name: 'leader', label: 'leader', kind: 'leader' },
      { name: 'trick', label: 'trick', kind: 'trick' },
      { name: 'hands', label: 'hands', kind: 'hand' },
      { name: 'piles', label: 'piles', kind: 'cards' },
      { name: 'totals', label: 'totals', kind: 'score' },
      { name: 'deck', label: 'deck', kind: 'stock' },
      { name: 'voids', label: 'voids', kind: 'memory' },
    ],
    guide: [],
    page: [],
  };
}
