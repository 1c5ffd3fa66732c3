import { readFileSync } from 'node:fs';

/** Of this release, as the command line's package says. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;

/** The services of a market: each a process of its own, or all in one. */
export const serviceNames = ['command-service', 'query-service', 'projector'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Of the lines that processes log, the least grave first. */
export const lineLevels = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LineLevel = (typeof lineLevels)[number];
