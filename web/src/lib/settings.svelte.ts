/** What a player has chosen for this device; it is kept in the browser and nowhere else. */

import { keep, recall } from './storage';

export const LANGUAGES = ['en', 'de', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];
export const MOTIONS = ['slow', 'normal', 'fast', 'none'] as const;
export type Motion = (typeof MOTIONS)[number];
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Settings {
  language: Language;
  theme: Theme;
  motion: Motion;
  /** Whether a card is tapped twice to be played. */
  confirm: boolean;
  sound: boolean;
  notify: boolean;
  /** Whether cards have names that children may read. */
  family: boolean;
  name: string;
  /** The games of which the guided round has been seen or skipped. */
  guided: string[];
}

const KEY = 'fuda-settings';

function languageOfBrowser(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return LANGUAGES.find((language) => language === wanted.find((one) => LANGUAGES.includes(one as Language))) ?? 'en';
}

function usual(): Settings {
  return {
    language: languageOfBrowser(),
    theme: 'system',
    motion: 'normal',
    confirm: false,
    sound: true,
    notify: false,
    family: false,
    name: '',
    guided: [],
  };
}

/** What is kept, as far as it makes sense: somebody may have changed it by hand, or an older page may have written it. */
export function read(text: string | null): Settings {
  const settings = usual();
  let kept: Partial<Record<keyof Settings, unknown>> = {};
  try {
    kept = (JSON.parse(text ?? '{}') as typeof kept | null) ?? {};
  } catch {
    return settings;
  }
  const oneOf = <T extends string>(value: unknown, among: readonly T[], otherwise: T): T =>
    among.find((one) => one === value) ?? otherwise;
  const yesOrNo = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);
  return {
    language: oneOf(kept.language, LANGUAGES, settings.language),
    theme: oneOf(kept.theme, THEMES, settings.theme),
    motion: oneOf(kept.motion, MOTIONS, settings.motion),
    confirm: yesOrNo(kept.confirm, settings.confirm),
    sound: yesOrNo(kept.sound, settings.sound),
    notify: yesOrNo(kept.notify, settings.notify),
    family: yesOrNo(kept.family, settings.family),
    name: typeof kept.name === 'string' ? kept.name : '',
    guided: Array.isArray(kept.guided) ? kept.guided.filter((one) => typeof one === 'string') : [],
  };
}

export const settings: Settings = $state(read(recall(KEY)));

/** Keeps the settings from now on, and has the page follow them. */
export function follow(): () => void {
  addEventListener('storage', (event) => {
    if (event.key === KEY) Object.assign(settings, read(event.newValue)); // another tab has changed them
  });
  return $effect.root(() => {
    $effect(() => keep(KEY, settings));
    $effect(() => {
      document.documentElement.lang = settings.language;
      document.documentElement.dataset.theme = settings.theme;
      document.documentElement.dataset.motion = settings.motion;
    });
  });
}

/** Whether the player wants things to move at all. */
export function isStill(): boolean {
  return settings.motion === 'none' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}
