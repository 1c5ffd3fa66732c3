import { readFileSync } from 'node:fs';

/** Of this release, as the command line's package says. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
