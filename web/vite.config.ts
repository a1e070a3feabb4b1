import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { messages } from './messages-plugin.ts';

const server = process.env.FUDA_SERVER ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [messages(), svelte()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or fonts
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    cssCodeSplit: false,
    // The first script connects; the table loads meanwhile. More and smaller files would load one after the other.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', test: /\/svelte\/|\/src\/(main\.ts|App\.svelte|lib\/early)/, priority: 2 },
            { name: 'table', test: /\/src\/pages\/TablePage/, priority: 1 },
          ],
        },
      },
    },
  },
  // The server accepts requests only from its own pages; the proxy makes these look like its own.
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: true, headers: { origin: server } } } },
  test: { environment: 'node', include: ['tests/**/*.test.ts'] },
});
