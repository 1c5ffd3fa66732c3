import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../src/main.tsx', import.meta.url));
const HOME = fileURLToPath(new URL('../src/features/home/route.tsx', import.meta.url));

/**
 * React, its router and the query cache change rarely: a release leaves them in people's caches. The common styles go
 * with them, since all files need this one and so link it first: it fixes the order of the layers for every other.
 */
const core =
  /src\/styles\/main\.css|node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|zustand|@tanstack\/(react-query|query-core))\//;

/** The module and all it imports without waiting. */
function closure(id, context, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of context.getModuleInfo(id)?.importedIds ?? []) closure(next, context, found);
  return found;
}

let shared;

/**
 * What home shares with other pages becomes one file instead of a dozen: each file is a request, and together they
 * compress better. What the entry needs anyway stays in it.
 */
function market(id, context) {
  if (shared === undefined) {
    const entry = closure(ENTRY, context);
    shared = [...closure(HOME, context)].filter((one) => !entry.has(one));
    shared = new Set(shared.filter((one) => !one.includes('/features/home/')));
  }
  return shared.has(id) ? 'market' : null;
}

/** Which module goes into which file; the rest is for the bundler to divide. */
export const chunkGroups = [
  { name: 'core', test: core, priority: 2 },
  { name: market, priority: 1 },
];
