import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../src/main.tsx', import.meta.url));
const HOME = fileURLToPath(new URL('../src/features/home/HomePage.tsx', import.meta.url));

/**
 * React, its router and the query cache change rarely, so this file stays in browser caches after a
 * release. The common styles are in it too: every page needs this file and links it first, so it
 * fixes the order of the CSS layers.
 */
const core =
  /src\/styles\/main\.css|node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|zustand|@tanstack\/(react-query|query-core))\//;

/** The parts of the query cache for writes. Home uses none, though the package's index, and so the module graph, has them. */
const writes = /node_modules\/@tanstack\/.*\/(useMutation|mutationObserver|useIsFetching)\.js$/;

/** Rules that home does not need; they too are in the graph by an index alone. */
const rules = /domain\/dist\/rules\/(business-name|references|search-words|text|times)\.js$/;

/** The module and everything it imports statically, recursively. */
function closure(id, context, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of context.getModuleInfo(id)?.importedIds ?? []) closure(next, context, found);
  return found;
}

let shared;

const ICON = /\/lucide-react\/.*\/icons\/([\w-]+)\.m?js$/;

/** The file name of an icon: Trash2 is in trash-2.js. */
const fileOf = (icon) =>
  icon
    .replace(/([a-z])([A-Z0-9])/g, '$1-$2')
    .replace(/([0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();

/** The icons that one of our modules imports by name: the package's index, and so the module graph, has them all. */
function iconsIn(id) {
  if (!id.includes('/web/src/') || !/\.tsx?$/.test(id)) return [];
  const named = /import \{([^}]*)\} from 'lucide-react'/.exec(readFileSync(id, 'utf8'))?.[1] ?? '';
  return named.split(',').map((one) =>
    fileOf(
      one
        .trim()
        .replace(/^type /, '')
        .split(' ')[0],
    ),
  );
}

/**
 * Puts what the entry needs, and what home shares with other pages, into one file instead of a dozen: each file
 * is a request, and together they compress better. The entry and home's own modules keep their own files.
 */
function market(id, context) {
  if (shared === undefined) {
    const found = closure(HOME, context, closure(ENTRY, context));
    const icons = new Set([...found].flatMap(iconsIn));
    found.delete(ENTRY);
    const isFirst = (one) => {
      if (writes.test(one) || rules.test(one)) return false;
      const icon = ICON.exec(one)?.[1];
      return icon === undefined ? !one.includes('/features/home/') : icons.has(icon);
    };
    shared = new Set([...found].filter(isFirst));
  }
  return shared.has(id) ? 'market' : null;
}

/** Shared by the seller's lists of orders and money, their notices and the admins' tables; each alone is tiny. */
const lists = /src\/(features\/(orders\/(queries|labels)|history\/times)|ui\/CsvButton)\.tsx?$/;

/** What every form needs: the key of what it sends is a few lines, and the first load lists every file. */
const forms = /src\/(ui\/Field|api\/use-idempotency-key)\.tsx?$/;

/**
 * Icons that several pages show share one file: alone each would be a request of a few bytes, and
 * the first load lists every file.
 */
const signs = { name: 'signs', test: ICON, minShareCount: 2 };

/** Which module goes into which file; the bundler divides the rest. */
export const chunkGroups = [
  { name: 'core', test: (id) => core.test(id) && !writes.test(id), priority: 2 },
  { name: market, priority: 1 },
  { name: 'writes', test: writes },
  { name: 'rules', test: rules },
  // Before `lists`, which takes along whatever its modules import: each page with one of their icons would load it.
  signs,
  { name: 'lists', test: lists },
  { name: 'forms', test: forms },
];
