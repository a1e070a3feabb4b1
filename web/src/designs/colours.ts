import type { Palette, Tone } from './shapes';

/** A tone is a part of the palette, or a colour of its own. */
export function colourOf(tone: Tone, palette: Palette): string {
  return isPart(tone) ? palette[tone] : tone;
}

function isPart(tone: Tone): tone is keyof Palette {
  return tone === 'paper' || tone === 'ink' || tone === 'suit' || tone === 'soft' || tone === 'shade';
}
