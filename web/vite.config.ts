import { readFile } from 'node:fs/promises';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { callAddresses } from './scripts/call-addresses.mjs';
import { chunkGroups } from './scripts/chunks.mjs';
import { css } from './scripts/class-names.mjs';
import { ensureFonts } from './scripts/fonts.mjs';
import { plainIcons } from './scripts/plain-icons.mjs';

/** Ships the font's licence with the build. */
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

/** Keeps a style sheet whose class names have all been inlined: to the bundler its exports look unused. */
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

/**
 * The router's package exports its build for developers to everybody; the production build does the
 * same and is smaller. Its components for forms and for the router's own server, which no page uses, can
 * only be dropped once nothing names them and their making is marked as free of side effects; so can its
 * warnings, which tell developers what they see in the other build.
 */
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
    transform: {
      filter: { id: /\/react-router\/dist\/production\// },
      handler: (code) => ({
        code: code
          .replace(/^\w+\.displayName = "\w+";$/gm, '')
          .replace(/^ +(?=warn(?:ing)?(?:Once)?\()/gm, '/* @__PURE__ */ ')
          .replace(/= (?=React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ '),
        map: null,
      }),
    },
  };
}

const backend = process.env.OJA_BACKEND ?? 'http://localhost:8080';

/**
 * The first load names every other file, so names are short: six characters of a hash tell style
 * sheets and pictures apart as well as eight. The renderer uses the same pattern, so that rendered
 * pages name the pictures of the browser's build.
 */
const assetFileNames = 'assets/[name]-[hash:6][extname]';

/** The module that query-service loads to render pages: one file that needs no installed packages. */
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
      output: {
        codeSplitting: false,
        format: 'cjs',
        minify: { mangle: false },
        entryFileNames: 'server.cjs',
        assetFileNames,
      },
    },
  },
};

export default defineConfig(async ({ isSsrBuild }) => {
  await ensureFonts();
  const plugins = [react(), productionRouter(), callAddresses(), plainIcons()];
  if (isSsrBuild) return { plugins, css, ...renderer };
  return {
    plugins: [...plugins, fontLicence(), keepSheets()],
    css,
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      /** Syntax that Chrome and Samsung Internet on cheap phones of the last five years can read. */
      target: ['chrome107', 'safari16', 'firefox104'],
      /** Fonts are preloaded by name, so nothing may be inlined into the style sheet. */
      assetsInlineLimit: 0,
      manifest: true,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { index: 'index.html', begin: 'src/begin.ts' },
        // A property that is read and then not used was read for nothing: getters here do nothing else.
        treeshake: { propertyReadSideEffects: false },
        // Class names are constants: once inlined, they need no exports between files.
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        // A class that no style sheet defines would otherwise show only as missing styles on the screen.
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
