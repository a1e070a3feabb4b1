/** The design of each game's cards. */

import { cursedTricks } from './cursed_tricks';
import { frantic } from './frantic';
import { kirifu } from './kirifu';
import { plain } from './plain';
import { schadenfreude } from './schadenfreude';
import type { Design } from './shapes';
import { shinigamiPreschool } from './shinigami_preschool';

const DESIGNS: Record<string, Design> = {
  schadenfreude,
  cursed_tricks: cursedTricks,
  shinigami_preschool: shinigamiPreschool,
  frantic,
  kirifu
};

export function designOf(game: string): Design {
  return DESIGNS[game] ?? plain;
}
