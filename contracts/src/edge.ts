import type { Call, Owner } from './call.js';
import { isParam, routesOf } from './route-table.js';

/** A part of the address space that is not a call: pictures, test payments, live hints, pages. */
interface RoutePrefix {
  readonly prefix: string;
  readonly owner: Owner;
  readonly what: string;
  /** Connections are turned into web sockets here, and nowhere else. Default: no. */
  readonly upgrades?: true;
}

/**
 * Where a path goes that no call claims: the longest prefix wins. `/v1/` is no prefix of `/v1_1/`, and
 * `/metrics`, `/healthz` and `/readyz` are each process's own and never routed.
 */
export const routePrefixes: readonly RoutePrefix[] = [
  { prefix: '/v1_1/', owner: 'command-service', what: 'image host: upload' },
  { prefix: '/v1/image/', owner: 'command-service', what: 'image host: pictures' },
  { prefix: '/sandbox/', owner: 'command-service', what: 'test payments' },
  { prefix: '/socket.io/', owner: 'query-service', what: 'live hints', upgrades: true },
  { prefix: '/', owner: 'query-service', what: 'pages and what they are made of' },
];

/** Prefixes of the paths at which a connection may become a web socket. */
export const upgradePaths: readonly string[] = routePrefixes
  .filter(({ upgrades }) => upgrades === true)
  .map(({ prefix }) => prefix);

/** One line of a proxy's table: a regular expression over `METHOD /path`, and who answers. */
interface EdgeRule {
  readonly pattern: string;
  readonly owner: Owner;
}

const literal = (text: string): string => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&');

/**
 * Who answers what, for a proxy that takes the first pattern that matches. It is asked with the path as
 * it stands in the request line, still encoded and without its query, and with GET for HEAD.
 */
export function edgeRules(
  calls: readonly Call[],
  prefixes: readonly RoutePrefix[],
): readonly EdgeRule[] {
  const ofCalls = routesOf(calls).map(({ call, segments }) => {
    const path = segments.map((segment) => (isParam(segment) ? '[^/]+' : literal(segment)));
    return { pattern: `^${call.method} /${path.join('/')}$`, owner: call.owner };
  });
  const ofPrefixes = [...prefixes]
    .sort((one, other) => other.prefix.length - one.prefix.length)
    .map(({ prefix, owner }) => ({ pattern: `^[^ ]+ ${literal(prefix)}`, owner }));
  return [...ofCalls, ...ofPrefixes];
}

/** What a path must match for a proxy to pass an `Upgrade` on: anywhere else it would only hold a socket open. */
export const upgradePatterns = (prefixes: readonly RoutePrefix[]): readonly string[] =>
  prefixes.filter(({ upgrades }) => upgrades === true).map(({ prefix }) => `^${literal(prefix)}`);
