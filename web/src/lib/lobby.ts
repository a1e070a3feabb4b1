/** What a table still needs before its game can start, and the options of its game. */

import type { Chair, OptionText } from './protocol';

/** Why a game cannot start yet: some chairs are open, or it needs more players. */
type StartBlocker = { kind: 'open'; count: number } | { kind: 'too few'; least: number } | null;

export function startBlocker(chairs: Chair[], least: number): StartBlocker {
  const count = chairs.filter((chair) => chair.kind === 'open').length;
  if (count > 0) return { kind: 'open', count };
  return chairs.filter((chair) => chair.kind !== 'closed').length < least ? { kind: 'too few', least } : null;
}

/** The options of a table's game with their values; a number of 0 means that an option is not set, so it is left out. */
export function optionsSet(options: OptionText[], chosen: Record<string, unknown>): { option: OptionText; value: unknown }[] {
  const all = options.map((option) => ({ option, value: chosen[option.name] ?? option.default ?? null }));
  return all.filter(({ value }) => value !== 0);
}
