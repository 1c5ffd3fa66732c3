/**
 * Builds the service worker into dist/service-worker.js, with the list of files it precaches: the shell
 * and the storefront's pages, so that people can look around and keep a cart offline. Dashboards are
 * fetched when they are opened: on slow networks nobody should pay for pages they never use.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { injectManifest } from 'workbox-build';
import { callAddresses } from './call-addresses.mjs';
import { closure, dist, manifest } from './manifest.mjs';

const bundled = join(dist, 'worker');

const storefront = ['home', 'search', 'category', 'product', 'store', 'cart', 'goods', 'saved'];

const roots = Object.keys(manifest).filter(
  (key) =>
    manifest[key].isEntry ||
    key.startsWith('src/ui/') ||
    key.startsWith('src/app/header/') ||
    storefront.some((feature) => key.startsWith(`src/features/${feature}/`)),
);
const chunks = new Set(roots.flatMap((key) => [...closure(key)]));
const files = [...chunks].flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])]);
const ahead = [...new Set(files)].filter((file) => /\.(js|css)$/.test(file));

await build({
  configFile: false,
  logLevel: 'warn',
  plugins: [callAddresses()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: bundled,
    copyPublicDir: false,
    target: 'chrome107',
    lib: {
      entry: join(dist, '..', 'src', 'worker', 'service-worker.ts'),
      formats: ['es'],
      fileName: 'service-worker',
    },
  },
});

const { count, size, warnings } = await injectManifest({
  swSrc: join(bundled, 'service-worker.js'),
  swDest: join(dist, 'service-worker.js'),
  globDirectory: dist,
  globPatterns: [...ahead, 'assets/oja-latin-*.woff2', 'assets/oja-naira-*.woff2'],
  dontCacheBustURLsMatching: /^assets\//,
});
rmSync(bundled, { recursive: true });
for (const warning of warnings) console.warn(warning);
console.log(
  `service worker: ${count} files ahead, ${Math.round(size / 1_000)} kB before compression`,
);
