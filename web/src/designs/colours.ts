import type { Palette, Tone } from './shapes';

/** The colour of a tone, which is a name of the palette or a colour itself. */
export function colourOf(tone: Tone, palette: Palette): string {
  return isPaletteName(tone) ? palette[tone] : tone;
}

function isPaletteName(tone: Tone): tone is keyof Palette {
  return tone === 'paper' || tone === 'ink' || tone === 'suit' || tone === 'soft' || tone === 'shade';
}
