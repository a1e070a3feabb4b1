/** The texts of the client itself; those of the games come with their books. */

import { settings, type Language } from '../lib/settings.svelte';

export type Texts = Record<string, Record<Language, string>>;
export type Facts = Record<string, string | number>;

const FACT = /\{(\w+)(?::([^}]*))?\}/g;

/** Fills in {facts}; {n:card|cards} chooses a plural form by the number n. */
export function fillTemplate(text: string, facts: Facts, language: Language): string {
  return text.replace(FACT, (_, fact: string, forms: string | undefined) => {
    const value = facts[fact] ?? '';
    if (forms === undefined) return String(value);
    const [one = '', other = one] = forms.split('|');
    return new Intl.PluralRules(language).select(Number(value)) === 'one' ? one : other;
  });
}

/** A function that gives the texts of one file in the chosen language. */
export function translator<T extends Texts>(texts: T): (key: keyof T & string, facts?: Facts) => string {
  return (key, facts = {}) => fillTemplate(texts[key]?.[settings.language] ?? '', facts, settings.language);
}
