/** The few sounds, synthesised in the browser so that nothing has to be loaded. */

export type Sound = 'turn' | 'reaction' | 'card' | 'end';

interface Tone {
  /** In hertz. */
  pitch: number;
  /** Seconds from the beginning of the sound. */
  at: number;
  /** In seconds. */
  length: number;
  /** From 0 to 1. */
  volume: number;
}

const SOUNDS: Record<Sound, Tone[]> = {
  turn: [
    { pitch: 587, at: 0, length: 0.28, volume: 0.16 },
    { pitch: 880, at: 0.12, length: 0.5, volume: 0.16 },
  ],
  reaction: [{ pitch: 740, at: 0, length: 0.35, volume: 0.12 }],
  card: [{ pitch: 190, at: 0, length: 0.06, volume: 0.07 }],
  end: [
    { pitch: 523, at: 0, length: 0.3, volume: 0.12 },
    { pitch: 659, at: 0.13, length: 0.3, volume: 0.12 },
    { pitch: 784, at: 0.26, length: 0.7, volume: 0.12 },
  ],
};

let audio: AudioContext | null = null;

/** Browsers allow sound only after the first tap or key press: waits for one. */
export function allowSound(): () => void {
  const begin = (): void => {
    audio ??= new AudioContext();
    if (audio.state === 'suspended') void audio.resume();
  };
  const gestures = ['pointerdown', 'keydown'];
  gestures.forEach((gesture) => addEventListener(gesture, begin, { passive: true }));
  return () => gestures.forEach((gesture) => removeEventListener(gesture, begin));
}

export function playSound(sound: Sound): void {
  if (audio?.state !== 'running') return;
  for (const tone of SOUNDS[sound]) playTone(audio, tone);
}

function playTone(context: AudioContext, tone: Tone): void {
  const start = context.currentTime + tone.at;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(tone.volume, start + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + tone.length);
  gain.connect(context.destination);
  const oscillator = context.createOscillator();
  oscillator.type = 'triangle';
  oscillator.frequency.value = tone.pitch;
  oscillator.connect(gain);
  oscillator.start(start);
  oscillator.stop(start + tone.length + 0.02);
}
