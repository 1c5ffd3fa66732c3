import type { Call, Owner } from './call.js';
import type { Door } from './doors.js';
import { isParam, routesOf } from './route-table.js';

/** One line of a proxy's table: a regular expression over `METHOD /path`, and who answers. */
export interface EdgeRule {
  readonly pattern: string;
  readonly owner: Owner;
}

const literal = (text: string): string => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&');

/**
 * Who answers what, for a proxy that takes the first pattern that matches. It is asked with the path as
 * it stands in the request line, still encoded and without its query, and with GET for HEAD.
 */
export function edgeRules(calls: readonly Call[], doors: readonly Door[]): readonly EdgeRule[] {
  const ofCalls = routesOf(calls).map(({ call, segments }) => {
    const path = segments.map((segment) => (isParam(segment) ? '[^/]+' : literal(segment)));
    return { pattern: `^${call.method} /${path.join('/')}$`, owner: call.owner };
  });
  const ofDoors = [...doors]
    .sort((one, other) => other.prefix.length - one.prefix.length)
    .map(({ prefix, owner }) => ({ pattern: `^[^ ]+ ${literal(prefix)}`, owner }));
  return [...ofCalls, ...ofDoors];
}

/** What a path must match for a proxy to pass an `Upgrade` on: anywhere else it would only hold a socket open. */
export const upgradePatterns = (doors: readonly Door[]): readonly string[] =>
  doors.filter(({ upgrades }) => upgrades === true).map(({ prefix }) => `^${literal(prefix)}`);
