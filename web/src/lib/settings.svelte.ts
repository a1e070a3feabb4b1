/** The player's settings for this device, saved in the browser only. */

import { loadText, saveJson } from './storage';

export const LANGUAGES = ['en', 'de', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];
export const MOTIONS = ['slow', 'normal', 'fast', 'none'] as const;
export type Motion = (typeof MOTIONS)[number];
export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

export interface Settings {
  language: Language;
  theme: Theme;
  motion: Motion;
  /** Whether a card must be tapped twice to be played. */
  confirm: boolean;
  sound: boolean;
  notify: boolean;
  /** Whether rude cards have names that children may read. */
  family: boolean;
  name: string;
  /** The games of which the guide has been read or skipped. */
  guided: string[];
}

const KEY = 'fuda-settings';

function languageOfBrowser(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return LANGUAGES.find((language) => language === wanted.find((one) => LANGUAGES.includes(one as Language))) ?? 'en';
}

function defaults(): Settings {
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

/** Reads saved settings; what is missing or invalid gets its default. */
export function parse(text: string | null): Settings {
  const settings = defaults();
  let saved: Partial<Record<keyof Settings, unknown>> = {};
  try {
    saved = (JSON.parse(text ?? '{}') as typeof saved | null) ?? {};
  } catch {
    return settings;
  }
  const oneOf = <T extends string>(value: unknown, among: readonly T[], otherwise: T): T =>
    among.find((one) => one === value) ?? otherwise;
  const yesOrNo = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);
  return {
    language: oneOf(saved.language, LANGUAGES, settings.language),
    theme: oneOf(saved.theme, THEMES, settings.theme),
    motion: oneOf(saved.motion, MOTIONS, settings.motion),
    confirm: yesOrNo(saved.confirm, settings.confirm),
    sound: yesOrNo(saved.sound, settings.sound),
    notify: yesOrNo(saved.notify, settings.notify),
    family: yesOrNo(saved.family, settings.family),
    name: typeof saved.name === 'string' ? saved.name : '',
    guided: Array.isArray(saved.guided) ? saved.guided.filter((one) => typeof one === 'string') : [],
  };
}

export const settings: Settings = $state(parse(loadText(KEY)));

/** Applies the settings to the page and saves them, now and whenever they change. */
export function applySettings(): () => void {
  addEventListener('storage', (event) => {
    if (event.key === KEY) Object.assign(settings, parse(event.newValue)); // another tab has changed them
  });
  return $effect.root(() => {
    $effect(() => saveJson(KEY, settings));
    $effect(() => {
      document.documentElement.lang = settings.language;
      document.documentElement.dataset.theme = settings.theme;
      document.documentElement.dataset.motion = settings.motion;
    });
  });
}

/** Whether animations are off, by the settings or by the system. */
export function isMotionOff(): boolean {
  return settings.motion === 'none' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}
