import type { LazyRouteFunction, RouteObject } from 'react-router-dom';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../src/api/query-client.js';
import { routes } from '../../src/routes.js';
import { accountsAndSellers } from './accounts-and-sellers.js';
import { admin } from './admin.js';
import { shows } from './dom-queries.js';
import { happyPath } from './happy-path.js';
import { openMarket } from './market.js';
import { money } from './money.js';
import type { Row } from './row.js';
import { shopping } from './shopping.js';
import { resetSocket } from './socket.js';
import { createStage, type Stage } from './stage.js';

// The app's own router starts at the window's address; /login loads nothing.
vi.hoisted(() => history.replaceState(null, '', '/login'));
vi.mock('socket.io-client', () => import('./socket.js'));
vi.mock('embla-carousel-autoplay', async (original) => {
  const plugin = await original<typeof import('embla-carousel-autoplay')>();
  const { recordOptions } = await import('./autoplay-options.js');
  return { ...plugin, default: recordOptions(plugin.default) };
});
// The test browser has no canvas: pictures are sent as they were picked.
vi.mock('../../src/features/upload/picture-files.js', async (original) => ({
  ...(await original<typeof import('../../src/features/upload/picture-files.js')>()),
  shrink: async (file: Blob) => file,
}));

const areas: Readonly<Record<string, readonly Row[]>> = {
  thread: happyPath,
  'accounts and sellers': accountsAndSellers,
  shopping,
  money,
  admin,
};

const market = openMarket();

/** Loads the code of all pages, so that no row waits for it. */
async function fetchPages(from: readonly RouteObject[]): Promise<void> {
  const lazies = (route: RouteObject): LazyRouteFunction<RouteObject>[] => [
    ...(typeof route.lazy === 'function' ? [route.lazy] : []),
    ...(route.children ?? []).flatMap(lazies),
  ];
  await Promise.allSettled([
    ...from.flatMap(lazies).map((lazy) => lazy()),
    import('../../src/ui/Toaster.js'),
    import('../../src/app/header/Suggestions.js'),
    import('../../src/ui/CarouselDriver.js'),
    import('../../src/features/product/OwnerView.js'),
  ]);
}

beforeAll(async () => {
  market.listen();
  await fetchPages(routes);
});
beforeEach(() => {
  resetSocket();
  // The specification also says which failures are logged, but that is not tested here.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(async () => {
  vi.useRealTimers();
  market.reset();
  // Lets held answers arrive now and not during the next row.
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0), 10_000);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
afterAll(() => {
  market.close();
  const counts = Object.entries(areas).map(([area, rows]) => `${area}: ${rows.length}`);
  console.log(`Rows of the specification. ${counts.join(', ')}`);
});

/** What is read from a page before anything has come. */
const nothings: readonly unknown[] = [0, '', false];

async function check({ expected, as = 'text', read, measure }: Row, stage: Stage): Promise<void> {
  if (measure !== undefined) return expect(await measure(stage)).toBe(expected);
  const assertRow = () => {
    const actual =
      read !== undefined ? read(stage) : as === 'address' ? stage.address() : undefined;
    if (read === undefined && as !== 'address')
      return expect(shows(as, expected), `${as}: ${expected}`).toBe(true);
    if (expected instanceof RegExp) return expect(String(actual)).toMatch(expected);
    expect(actual).toBe(expected);
  };
  if (as === 'absent' || (read !== undefined && nothings.includes(expected))) await stage.quiet();
  await stage.until(assertRow);
  if (read?.atRest !== true) return;
  await stage.quiet();
  assertRow();
}

describe.each(Object.entries(areas))('%s', (_, rows) => {
  it.each(rows.map((row) => [`${row.screen} ${row.state}: ${row.expected}`, row] as const))(
    '%s',
    async (_, row) => {
      const stage = createStage(market, row.screen);
      await row.reach?.(stage);
      stage.open();
      await check(row, stage);
    },
  );
});
