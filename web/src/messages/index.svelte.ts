/** The texts of the client itself. The games' own words come with their books. */

import { settings, type Language } from '../lib/settings.svelte';

export type Area = Record<string, Record<Language, string>>;
export type Facts = Record<string, string | number>;

const FACT = /\{(\w+)(?::([^}]*))?\}/g;

/** The text with its {facts} put in; {n:card|cards} chooses a form by the number n. */
export function filled(text: string, facts: Facts, language: Language): string {
  return text.replace(FACT, (_, fact: string, forms: string | undefined) => {
    const value = facts[fact] ?? '';
    if (forms === undefined) return String(value);
    const [one = '', other = one] = forms.split('|');
    return new Intl.PluralRules(language).select(Number(value)) === 'one' ? one : other;
  });
}

/** A function that says the texts of one area in the language that is chosen now. */
export function words<A extends Area>(area: A): (key: keyof A & string, facts?: Facts) => string {
  return (key, facts = {}) => filled(area[key]?.[settings.language] ?? '', facts, settings.language);
}
