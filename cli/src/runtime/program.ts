import { readFileSync } from 'node:fs';

/** The version of this release, from this package's package.json. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;

/** The services of a market; they run as one process each, or all in one. */
export const serviceNames = ['command-service', 'query-service', 'projector'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The levels of log lines, the least severe first. */
export const lineLevels = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LineLevel = (typeof lineLevels)[number];
