/** Texts for codes of the protocol: denials, why a connection ended, kinds of bots. */

import common from '../messages/common.json';
import denials from '../messages/denials.json';
import home from '../messages/home.json';
import { translator, type Facts } from '../messages/index.svelte';
import type { Answer } from './connection';
import type { OptionText } from './protocol';
import { OFFLINE, RequestError } from './requests';

const t = translator(denials);
const c = translator(common);
const h = translator(home);

function isKeyOf<A extends object>(texts: A, key: string): key is keyof A & string {
  return Object.hasOwn(texts, key);
}

/** Why something was denied; the server's own English sentence where the code is unknown. */
export function denialText(code: string, text = '', facts: Facts = {}): string {
  const key = `denied ${code}`;
  return isKeyOf(denials, key) ? t(key, facts) : text;
}

/** Why a message was denied; empty if it was not. */
export function answerProblem(answer: Answer): string {
  return answer.kind === 'denied' ? denialText(answer.code, answer.text, answer.facts as Facts | undefined) : '';
}

export function errorText(error: unknown): string {
  return error instanceof RequestError ? denialText(error.code, error.message) : denialText(OFFLINE);
}

/** Why the connection to a table ended. */
export function goodbyeText(code: string): string {
  const key = `bye ${code}`;
  return isKeyOf(denials, key) ? t(key) : t('bye unknown');
}

export function botLabel(kind: string): string {
  const key = `bot ${kind}`;
  return isKeyOf(common, key) ? c(key) : kind;
}

export function optionValue(option: OptionText, value: unknown): string {
  if (value === null) return h('as many as players');
  if (typeof value === 'boolean') return value ? c('yes') : c('no');
  return option.values?.[String(value)] ?? String(value);
}
