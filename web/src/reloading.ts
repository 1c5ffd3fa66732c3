/*
 * What begin.ts and app/startup.ts agree on about loading the page again when a script has not come. Constants
 * alone, which the build writes into both files: an import would cost begin.ts a request of its own.
 */

/** Key in sessionStorage: when this tab was last loaded again, in epoch ms. */
export const RELOADED_AT_KEY = 'oja-reloaded';
/** A second failure within this time is a broken app, not a deploy. In ms. */
export const RELOAD_COOLDOWN_MS = 60_000;
/** A small file that every market has. The request for it must be a HEAD, which the service worker does not handle. */
export const PROBE_PATH = '/robots.txt';
