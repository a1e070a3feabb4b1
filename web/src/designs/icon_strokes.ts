/** Shapes for icons, in ink and paper only, so that icons can be inverted. */

import { line, soft, solid, type Shape } from './shapes';

export function ink(path: string): Shape {
  return soft(path, 1, 'ink');
}

export function pen(path: string, width = 2.6): Shape {
  return line(path, width, 'ink');
}

export function cut(path: string): Shape {
  return solid(path, 'paper');
}

export function scratch(path: string, width = 2): Shape {
  return line(path, width, 'paper');
}
