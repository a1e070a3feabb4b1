/** How the cards of each game look. */

import { cursedTricks } from './cursed_tricks';
import { frantic } from './frantic';
import { kirifu } from './kirifu';
import { plain } from './plain';
import { schadenfreude } from './schadenfreude';
import type { Look } from './shapes';
import { shinigamiPreschool } from './shinigami_preschool';

const LOOKS: Record<string, Look> = {
  schadenfreude,
  cursed_tricks: cursedTricks,
  shinigami_preschool: shinigamiPreschool,
  frantic,
  kirifu
};

export function lookOf(game: string): Look {
  return LOOKS[game] ?? plain;
}

export type { Back, Face, Look, Palette, SuitLook } from './shapes';
