import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Call, Owner } from './call.js';
import { calls } from './calls/index.js';
import { edgeRules, routePrefixes, routeTable } from './route-table.js';

const all: readonly Call[] = Object.values(calls);
const rules = edgeRules(all, routePrefixes);
const table = routeTable(all);

/** The owner according to the proxy's table. */
const byRules = (method: string, path: string): Owner | undefined =>
  rules.find(({ pattern }) => new RegExp(pattern).test(`${method} ${path}`))?.owner;

/** The owner according to the services: that of the call, otherwise of the longest prefix. */
function byTable(method: string, path: string): Owner | undefined {
  const found = table.find(method, path);
  if (found.kind === 'found') return found.call.owner;
  const open = routePrefixes.filter(({ prefix }) => path.startsWith(prefix));
  return open.sort((one, other) => other.prefix.length - one.prefix.length)[0]?.owner;
}

const segment = fc.constantFrom('', 'a', 'x.y', 'user', 'search', '%20', '%2F', 'update', '(', '*');
const ofACall = fc
  .constantFrom(...all)
  .chain(({ path }) =>
    fc
      .array(segment, { minLength: 6, maxLength: 6 })
      .map((values) => path.replace(/:\w+/g, () => values.shift() ?? 'a')),
  );
const path = fc.oneof(
  ofACall,
  ofACall.map((known) => `${known}/`),
  fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
  fc.constantFrom(...routePrefixes).map(({ prefix }) => `${prefix}picture.jpg`),
  fc.constantFrom('/v1', '/v1_1', '/v1/image', '/v1xproducts/a', '/subscription', '/socket.io/'),
);

describe("The edge's table", () => {
  it('sends every request where the table of calls and routePrefixes would', () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH');
    fc.assert(
      fc.property(method, path, (asked, where) => {
        expect(byRules(asked, where)).toBe(byTable(asked, where));
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads dots and brackets of a path as they are', () => {
    expect(byRules('GET', '/v1/openapi.json')).toBe('query-service');
    expect(rules.map(({ pattern }) => pattern)).toContain('^GET /v1/openapi\\.json$');
  });
});
