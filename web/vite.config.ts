import { readFile } from 'node:fs/promises';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { callAddresses } from './scripts/call-addresses.mjs';
import { chunkGroups } from './scripts/chunks.mjs';
import { css } from './scripts/class-names.mjs';
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

/** A sheet is needed even where all names it gives have been put in place: the bundler knows of the names alone. */
function keepSheets(): Plugin {
  return {
    name: 'keep-sheets',
    enforce: 'post',
    transform: {
      filter: { id: /\.module\.css$/ },
      handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
    },
  };
}

/** The router's package names its build with warnings for everybody; the other one says the same and is smaller. */
function productionRouter(): Plugin {
  return {
    name: 'production-router',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react-router(\/dom)?$/ },
      async handler(source, importer, options) {
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        return found && { ...found, id: found.id.replace('/development/', '/production/') };
      },
    },
  };
}

const backend = process.env.OJA_BACKEND ?? 'http://localhost:8080';

/**
 * The first load names every other file: six signs of a hash tell sheets and pictures apart as well as eight. A rendered page names the
 * pictures of the build that the browser has.
 */
const assetFileNames = 'assets/[name]-[hash:6][extname]';

/** What query-service loads to render pages: one file that needs nothing installed beside it. */
const renderer = {
  ssr: { noExternal: true as const },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: 'dist-server',
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node20',
    assetsInlineLimit: 0,
    minify: false,
    rolldownOptions: {
      output: { codeSplitting: false, entryFileNames: 'server.js', assetFileNames },
    },
  },
};

export default defineConfig(async ({ isSsrBuild }) => {
  await ensureFonts();
  if (isSsrBuild)
    return { plugins: [react(), productionRouter(), callAddresses()], css, ...renderer };
  return {
    plugins: [react(), productionRouter(), callAddresses(), fontLicence(), keepSheets()],
    css,
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
        input: { index: 'index.html', begin: 'src/begin.ts' },
        // Names of classes are constants: in place they need no exports between the files.
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        // A class that no sheet has would only be missing on the screen.
        onLog(level, log, pass) {
          if (log.code === 'IMPORT_IS_UNDEFINED') throw new Error(log.message);
          pass(level, log);
        },
        output: {
          codeSplitting: { groups: chunkGroups },
          chunkFileNames: 'assets/[name]-[hash:7].js',
          assetFileNames,
        },
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
