/** Finds what svelte-check does not: floating promises, conditions that are always true, unsafe markup. */

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
      // Facts of a game are of unknown type, and String(…) is for them; templates and sums are still checked.
      '@typescript-eslint/no-base-to-string': 'off',
      // `() => close()` is clear.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Seats are ASCII letters, and the width of a name is counted per character.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // `{ [name]: _, ...rest }` removes a property.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // Numbers need no formatting in templates.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: typescript.parser } },
    rules: {
      // `void since` makes an effect depend on `since`.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
    },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      // svelte-check knows the globals of a browser.
      'no-undef': 'off',
      // ESLint sees everything from another component as `any`; svelte-check knows the types.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['src/designs/Drawing.svelte', 'src/components/{Card,CardBack,SuitIcon}.svelte'],
    rules: {
      // The strokes of a drawing have no keys, and their order never changes.
      'svelte/require-each-key': 'off',
    },
  },
  {
    files: ['public/sw.js'],
    languageOptions: { globals: { addEventListener: 'readonly', clients: 'readonly', skipWaiting: 'readonly' } },
  },
);
