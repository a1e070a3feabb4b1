/** Finds what svelte-check does not look for: promises that nobody waits for, conditions that always hold, unsafe markup. */

import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import typescript from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist', 'coverage'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [typescript.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
    rules: {
      // Facts of a game have types that nobody knows, and String(…) is for them; templates and sums are looked at all the same.
      '@typescript-eslint/no-base-to-string': 'off',
      // `() => close()` confuses nobody.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Seats are letters of the alphabet, and the width of a name is counted sign by sign.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // `{ [name]: _, ...rest }` is how something is left out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // A number looks the same everywhere.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: typescript.parser } },
    rules: {
      // `void since` says on what an effect depends.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
    },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      // svelte-check knows what there is in a browser.
      'no-undef': 'off',
      // To the linter all that comes from another component is `any`; svelte-check knows its type.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['src/designs/Drawing.svelte', 'src/components/{Card,CardBack,SuitIcon}.svelte'],
    rules: {
      // The strokes of a drawing have no names, and never change places.
      'svelte/require-each-key': 'off',
    },
  },
  {
    files: ['public/sw.js'],
    languageOptions: { globals: { addEventListener: 'readonly', clients: 'readonly', skipWaiting: 'readonly' } },
  },
);
