/** The few sounds, made by the browser itself: nothing has to be loaded. */

export type Sound = 'turn' | 'reaction' | 'card' | 'end';

interface Tone {
  /** In hertz. */
  pitch: number;
  /** Seconds from the beginning of the sound. */
  at: number;
  lasts: number;
  /** From 0 to 1. */
  loud: number;
}

const SOUNDS: Record<Sound, Tone[]> = {
  turn: [
    { pitch: 587, at: 0, lasts: 0.28, loud: 0.16 },
    { pitch: 880, at: 0.12, lasts: 0.5, loud: 0.16 },
  ],
  reaction: [{ pitch: 740, at: 0, lasts: 0.35, loud: 0.12 }],
  card: [{ pitch: 190, at: 0, lasts: 0.06, loud: 0.07 }],
  end: [
    { pitch: 523, at: 0, lasts: 0.3, loud: 0.12 },
    { pitch: 659, at: 0.13, lasts: 0.3, loud: 0.12 },
    { pitch: 784, at: 0.26, lasts: 0.7, loud: 0.12 },
  ],
};

let player: AudioContext | null = null;

/** Browsers stay silent until somebody has touched the page: from then on there can be sound. */
export function allowSound(): () => void {
  const begin = (): void => {
    player ??= new AudioContext();
    if (player.state === 'suspended') void player.resume();
  };
  const touches = ['pointerdown', 'keydown'];
  touches.forEach((touch) => addEventListener(touch, begin, { passive: true }));
  return () => touches.forEach((touch) => removeEventListener(touch, begin));
}

export function makeSound(sound: Sound): void {
  if (player?.state !== 'running') return;
  for (const tone of SOUNDS[sound]) sing(player, tone);
}

function sing(context: AudioContext, tone: Tone): void {
  const starts = context.currentTime + tone.at;
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.0001, starts);
  volume.gain.exponentialRampToValueAtTime(tone.loud, starts + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, starts + tone.lasts);
  volume.connect(context.destination);
  const voice = context.createOscillator();
  voice.type = 'triangle';
  voice.frequency.value = tone.pitch;
  voice.connect(volume);
  voice.start(starts);
  voice.stop(starts + tone.lasts + 0.02);
}
