import { readFile } from 'node:fs/promises';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunkGroups } from './scripts/chunks.mjs';
import { ensureFonts } from './scripts/fonts.mjs';

/** The licence of the font ships with it. */
function fontLicence(): Plugin {
  return {
    name: 'font-licence',
    apply: 'build',
    async generateBundle() {
      const source = await readFile(new URL('./src/generated/fonts/OFL.txt', import.meta.url));
      this.emitFile({ type: 'asset', fileName: 'assets/OFL.txt', source });
    },
  };
}

/**
 * Chunks of style sheets reach a page in any order, and the first one decides which layer goes over which: so each
 * says it first.
 */
function layerOrder(): Plugin {
  const order = '@layer theme, base, components, utilities;';
  return {
    name: 'layer-order',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css'))
          file.source = `${order}${file.source}`;
      }
    },
  };
}

const backend = process.env.OJA_BACKEND ?? 'http://localhost:8080';

export default defineConfig(async () => {
  await ensureFonts();
  return {
    plugins: [react(), tailwindcss(), fontLicence(), layerOrder()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      /** What Chrome and Samsung Internet on the cheap phones of the last five years read. */
      target: ['chrome107', 'safari16', 'firefox104'],
      /** Fonts are preloaded by name, so nothing may be folded into the style sheet. */
      assetsInlineLimit: 0,
      manifest: true,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: { codeSplitting: { groups: chunkGroups } },
      },
    },
    server: {
      proxy: {
        '/v1': backend,
        '/v1_1': backend,
        '/subscription': backend,
        '/sandbox': backend,
        '/socket.io': { target: backend, ws: true },
      },
    },
  };
});
