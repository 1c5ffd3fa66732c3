import type { Call, Owner } from './call.js';

type Found<C> =
  | { readonly kind: 'found'; readonly call: C; readonly params: Readonly<Record<string, string>> }
  /** The path exists, but not with this method. `allow` lists its methods. */
  | { readonly kind: 'other-method'; readonly allow: readonly string[] }
  /** A segment is not valid percent-encoding. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unknown' };

export interface RouteTable<C extends Call> {
  /** In matching order. */
  readonly calls: readonly C[];
  /**
   * Finds the call of a request. `path` is the raw path of the request line: encoded, without the
   * query. HEAD matches GET.
   */
  find(method: string, path: string): Found<C>;
}

interface Route<C> {
  readonly call: C;
  /** The path split at its slashes; `:name` for a parameter. */
  readonly segments: readonly string[];
}

const isParam = (segment: string): boolean => segment.startsWith(':');

/** Compares whole segments, so `/v1/` is no prefix of `/v1_1/`. A parameter never matches an empty segment. */
function matches(route: Route<unknown>, segments: readonly string[]): boolean {
  return (
    route.segments.length === segments.length &&
    route.segments.every((own, at) => (isParam(own) ? segments[at] !== '' : own === segments[at]))
  );
}

/** At the first difference, a literal segment sorts before a parameter, and a shorter path before a longer one. */
function literalFirst(a: Route<unknown>, b: Route<unknown>): number {
  for (const [at, segment] of a.segments.entries()) {
    const other = b.segments[at];
    if (other === undefined) return 1;
    if (isParam(segment) !== isParam(other)) return isParam(segment) ? 1 : -1;
  }
  return a.segments.length - b.segments.length;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function paramsOf(route: Route<unknown>, segments: readonly string[]) {
  const params: [string, string][] = [];
  for (const [at, own] of route.segments.entries()) {
    if (!isParam(own)) continue;
    const value = decode(segments[at] ?? '');
    if (value === null) return null;
    params.push([own.slice(1), value]);
  }
  return Object.fromEntries(params);
}

/** The routes in matching order: the first match wins. */
function routesOf<C extends Call>(calls: readonly C[]): readonly Route<C>[] {
  return calls
    .map((call) => ({ call, segments: call.path.split('/').slice(1) }))
    .sort(literalFirst);
}

/**
 * Builds the table that finds the call of a request. The services' routers and the single listener
 * share it, and `edgeRules` uses the same order for the edge proxy, so they cannot disagree.
 *
 * @throws Error when two calls claim the same method and path.
 */
export function routeTable<C extends Call>(calls: readonly C[]): RouteTable<C> {
  const routes = routesOf(calls);
  const seen = new Map<string, string>();
  for (const { call, segments } of routes) {
    const shape = `${call.method} /${segments.map((s) => (isParam(s) ? ':' : s)).join('/')}`;
    const other = seen.get(shape);
    if (other !== undefined) throw new Error(`${other} and ${call.name} both claim ${shape}`);
    seen.set(shape, call.name);
  }
  return {
    calls: routes.map(({ call }) => call),
    find(method, path) {
      const segments = path.split('/').slice(1);
      const here = routes.filter((route) => matches(route, segments));
      if (here.length === 0) return { kind: 'unknown' };
      const wanted = method === 'HEAD' ? 'GET' : method;
      const route = here.find(({ call }) => call.method === wanted);
      if (route === undefined) {
        return { kind: 'other-method', allow: [...new Set(here.map(({ call }) => call.method))] };
      }
      const params = paramsOf(route, segments);
      return params === null ? { kind: 'malformed' } : { kind: 'found', call: route.call, params };
    },
  };
}

/** The calls of one service, with their own types. */
export function callsOf<C extends Call, O extends Owner>(
  calls: Readonly<Record<string, C>>,
  owner: O,
): readonly Extract<C, { readonly owner: O }>[] {
  return Object.values(calls).filter(
    (call): call is Extract<C, { readonly owner: O }> => call.owner === owner,
  );
}

/** A part of the URL space without calls: pictures, test payments, live hints, pages. */
interface RoutePrefix {
  readonly prefix: string;
  readonly owner: Owner;
  readonly what: string;
  /** Whether connections here may be upgraded to web sockets. Default: no. */
  readonly upgrades?: true;
}

/**
 * The owner of a path that no call matches: the longest prefix wins. `/v1/` is no prefix of `/v1_1/`. `/metrics`,
 * `/healthz` and `/readyz` are served by each process itself and never routed.
 */
export const routePrefixes: readonly RoutePrefix[] = [
  { prefix: '/v1_1/', owner: 'command-service', what: 'image host: upload' },
  { prefix: '/v1/image/', owner: 'command-service', what: 'image host: pictures' },
  { prefix: '/sandbox/', owner: 'command-service', what: 'test payments' },
  { prefix: '/socket.io/', owner: 'query-service', what: 'live hints', upgrades: true },
  { prefix: '/', owner: 'query-service', what: 'pages and what they are made of' },
];

/** Path prefixes where a connection may be upgraded to a web socket. */
export const upgradePaths: readonly string[] = routePrefixes
  .filter(({ upgrades }) => upgrades === true)
  .map(({ prefix }) => prefix);

/** One row of a proxy's table: a regular expression over `METHOD /path`, and the service that answers. */
interface EdgeRule {
  readonly pattern: string;
  readonly owner: Owner;
}

const literal = (text: string): string => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&');

/**
 * The routing table for a proxy that takes the first matching pattern. The proxy must match the raw
 * path (encoded, without the query), and use GET for HEAD.
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

/**
 * Patterns of the paths for which a proxy passes an `Upgrade` on. Anywhere else an upgrade would
 * only hold a socket open.
 */
export const upgradePatterns = (prefixes: readonly RoutePrefix[]): readonly string[] =>
  prefixes.filter(({ upgrades }) => upgrades === true).map(({ prefix }) => `^${literal(prefix)}`);
