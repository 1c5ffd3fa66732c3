import { setTimeout as wait } from 'node:timers/promises';
import { calls, routeTable, upgradePaths } from '@oja/contracts';
import {
  type App,
  createApp,
  createListener,
  createReadiness,
  mountNoSuchCall,
  type Readiness,
} from '@oja/http';
import { imageOriginsOf } from '@oja/platform';
import Koa from 'koa';
import { configExit } from './exit.js';
import { createGate } from './gate.js';
import { addFilesTakeWrites } from './logAnswers.js';
import type { Ground, Part } from './part.js';

/** A process that listens, and serves once its parts are ready. */
export interface MarketProcess {
  /** Starts the parts and opens the gate once nothing is waited for. */
  open(parts: readonly Part[]): Promise<void>;
  /** Lets answers under way end, then the parts, the last started first. */
  close(): Promise<void>;
}

/** Below these only calls live: what no call claims there is told so, not shown a page. */
const CALL_PREFIXES = ['/v1/', '/v1_1/', '/subscription'];
/** How often an opening process looks whether everything is ready, in milliseconds. */
const GLANCE_MS = 20;

async function whenReady(readiness: Readiness, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await readiness.waitingFor()).length > 0) await wait(GLANCE_MS);
}

/**
 * Listens at once, so that whoever comes early is asked to wait and nobody else takes the port.
 * @throws Exit 78 where the port cannot be had.
 */
export async function startProcess(ground: Ground): Promise<MarketProcess> {
  const { config, logger, metrics } = ground;
  const { publicUrl, trustedProxy } = config;
  const readiness = createReadiness();
  let started = false;
  readiness.add('start', () => started);
  addFilesTakeWrites(readiness, config.dataDir);
  const imageOrigins = imageOriginsOf(config.cloudinary && { uploadUrl: config.cloudinary.url });
  const app = createApp({ logger, metrics, readiness, publicUrl, trustedProxy, imageOrigins });
  const gate = createGate();
  app.use(gate.middleware);
  const listener = createListener(app, { port: config.port, hosts: config.hosts, upgradePaths });
  const listening = await listener.listen();
  if (!listening.ok) throw configExit(listening.message);

  const stopping = new AbortController();
  const running: Part[] = [];
  return {
    async open(parts) {
      const market: App = new Koa();
      for (const part of parts) {
        part.mount(market);
        part.readyWhen(readiness);
        running.unshift(part);
        await part.start(listener.server);
      }
      mountNoSuchCall(market, routeTable(Object.values(calls)), CALL_PREFIXES);
      for (const { pages } of parts) if (pages) market.use(pages);
      started = true;
      await whenReady(readiness, stopping.signal);
      gate.open(market);
      logger.info({ parts: parts.map(({ name }) => name), port: listening.port }, 'open');
    },
    async close() {
      stopping.abort();
      await listener.close();
      for (const part of running) await part.close();
    },
  };
}
