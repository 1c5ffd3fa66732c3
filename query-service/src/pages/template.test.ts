import { expect, it } from 'vitest';
import { withDeferredScripts } from './template.js';

it('leaves a page one script, which is told what else there is to fetch', () => {
  const page = `<head>
    <script type="module" crossorigin src="/assets/index-1.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/core-1.js">
    <link rel="stylesheet" crossorigin href="/assets/core-1.css">
    <link rel="modulepreload" href="/assets/home-1.js" crossorigin="" />
  </head>`;
  expect(withDeferredScripts(page, '/assets/begin-1.js')).toBe(`<head>
    <script type="module" async src="/assets/begin-1.js" data-entry="/assets/index-1.js" data-ahead="/assets/core-1.js /assets/home-1.js"></script>
    <link rel="stylesheet" crossorigin href="/assets/core-1.css">
  </head>`);
});
