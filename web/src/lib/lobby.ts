/** What can be done at a table before its game begins. */

import type { Chair, Seat } from './protocol';

/** Why a game cannot begin yet: how many chairs are open, or how many players it needs at least. */
export type Hindrance = { kind: 'open'; count: number } | { kind: 'too few'; least: number } | null;

export function hindranceOf(chairs: Chair[], least: number): Hindrance {
  const count = chairs.filter((chair) => chair.kind === 'open').length;
  if (count > 0) return { kind: 'open', count };
  return chairs.filter((chair) => chair.kind !== 'closed').length < least ? { kind: 'too few', least } : null;
}

/** Whether somebody may do what the host does: while the host is away, others stand in, and the server knows who. */
export function isHosting(chairs: Chair[], you: Seat | null, here: Seat[]): boolean {
  if (you === null) return false;
  const host = chairs.find((chair) => chair.host);
  return host === undefined || host.seat === you || !here.includes(host.seat);
}
