import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, type Route } from '@playwright/test';
import { painted } from './layout.js';

/** A browser may paint the page received so far before each of these elements. */
const PIECE = /(?=<(?:header|main|section|article|footer|fieldset|aside|h1|h2)\b)/;

/** A proxy before a market that sends its pages piece by piece, like a slow network or a busy processor. */
export interface SlowPages {
  readonly url: string;
  /**
   * Opens a page; each piece is sent once the one before has been painted.
   * @param path path and query
   */
  goto(page: Page, path: string): Promise<void>;
  close(): Promise<void>;
}

/** @param market origin of the market */
export async function openSlowPages(market: string): Promise<SlowPages> {
  /** Resolves once that many pieces are in the document and painted. */
  let arrived: (pieces: number) => Promise<void> = async () => {};

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '/', headers } = request;
    const asked = { accept: headers.accept ?? '*/*' };
    const answered = await fetch(market + path, { headers: asked, redirect: 'manual' });
    const own = Object.fromEntries(answered.headers);
    delete own['content-encoding'];
    delete own['content-length'];
    delete own['transfer-encoding'];
    response.writeHead(answered.status, own);
    if (!/html|json/.test(own['content-type'] ?? '')) {
      response.end(Buffer.from(await answered.arrayBuffer()));
      return;
    }
    // Pictures go through the proxy as well: a page shows none of another origin.
    const whole = (await answered.text()).replaceAll(market, url);
    const isPage = headers['sec-fetch-dest'] === 'document';
    let sent = 0;
    for (const piece of isPage ? whole.split(PIECE) : [whole]) {
      response.write(piece);
      sent += 1;
      if (isPage) await arrived(sent);
    }
    response.end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`;

  return {
    url,
    async goto(page, path) {
      let committed = () => {};
      const begun = new Promise<void>((resolve) => {
        committed = resolve;
      });
      let elements = 0;
      arrived = async (pieces) => {
        if (pieces === 1) await begun;
        const count = await page.waitForFunction((before) => {
          const now = document.getElementsByTagName('*').length;
          return now > before && now;
        }, elements);
        elements = Number(await count.jsonValue());
        await painted(page);
      };
      await page.goto(url + path, { waitUntil: 'commit' });
      committed();
      await page.waitForLoadState('load');
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export type Order = 'first come' | 'last come';

/** API calls of a page that are held back. */
interface HeldCalls {
  /**
   * Answers the held calls in this order, each after the result of the one before has been painted. Calls after that
   * are held no longer.
   */
  answer(order: Order): Promise<void>;
}

export async function holdCalls(page: Page): Promise<HeldCalls> {
  const held: Route[] = [];
  let over = false;
  await page.route('**/v1/**', async (route) => {
    if (over || route.request().resourceType() === 'image') await route.continue();
    else held.push(route);
  });
  return {
    async answer(order) {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      while (held.length > 0) {
        const next = order === 'first come' ? held.shift() : held.pop();
        if (next === undefined) return;
        await next.continue();
        // A call that the page has given up meanwhile has no answer.
        await (await next.request().response())?.finished();
        await painted(page);
      }
      over = true;
    },
  };
}

/** Navigates within the app without a touch: layout shifts right after a touch do not count. */
export const goWithin = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
