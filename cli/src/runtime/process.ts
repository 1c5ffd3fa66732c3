import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { calls, routeTable, upgradePaths } from '@oja/contracts';
import {
  type App,
  createApp,
  createListener,
  createReadiness,
  type Middleware,
  mountNoSuchCall,
  type Readiness,
} from '@oja/http';
import { imageOriginsOf } from '@oja/platform';
import Koa from 'koa';
import compose from 'koa-compose';
import { configExit, exitCodes } from '../terminal/exit.js';
import type { AppContext } from './context.js';
import type { ServiceName } from './program.js';
import { addFilesTakeWrites } from './readiness.js';

/** One service as the process that runs it sees it, alone or beside others. */
export interface ServiceModule {
  readonly name: ServiceName;
  /** Its calls and what else it answers; mounted before it is started. */
  mount(app: App): void;
  /** What answers where nothing else does; mounted last. */
  readonly pages?: Middleware;
  /** What else must be true before it can serve. */
  readyWhen(readiness: Readiness): void;
  start(server: Server): Promise<void>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** A process that listens, and serves once its modules are ready. */
interface MarketProcess {
  /** Starts the modules, and answers with them once nothing is waited for. */
  open(modules: readonly ServiceModule[]): Promise<void>;
  /** Lets answers under way end, then the modules, the last started first. */
  close(): Promise<void>;
}

/** Below these only calls live: what no call claims there is told so, not shown a page. */
const CALL_PREFIXES = ['/v1/', '/v1_1/', '/subscription'];
/** How often an opening process looks whether everything is ready, in milliseconds. */
const GLANCE_MS = 20;

/** Resolves once nothing is waited for but `last`. */
async function whenReady(readiness: Readiness, last: string, signal: AbortSignal): Promise<void> {
  const isLeft = (name: string) => name !== last;
  while (!signal.aborted && (await readiness.waitingFor()).some(isLeft)) await wait(GLANCE_MS);
}

/** What `/readyz` waits for until the market answers. */
const START = 'start';

/**
 * Listens at once, so that whoever comes early is asked to wait and nobody else takes the port.
 * @throws Exit 78 where the port cannot be had.
 */
export async function startProcess(
  context: Pick<AppContext, 'config' | 'logger' | 'metrics'>,
): Promise<MarketProcess> {
  const { config, logger, metrics } = context;
  const { publicUrl, trustedProxy } = config;
  const readiness = createReadiness();
  let isOpen = false;
  readiness.add(START, () => isOpen);
  addFilesTakeWrites(readiness, config.dataDir);
  const imageOrigins = imageOriginsOf(config.cloudinary && { uploadUrl: config.cloudinary.url });
  const app = createApp({ logger, metrics, readiness, publicUrl, trustedProxy, imageOrigins });
  const startupPage = createStartupPage();
  app.use(startupPage.middleware);
  const listener = createListener(app, { port: config.port, hosts: config.hosts, upgradePaths });
  const listening = await listener.listen();
  if (!listening.ok) throw configExit(listening.message);

  const stopping = new AbortController();
  const running: ServiceModule[] = [];
  return {
    async open(modules) {
      const market: App = new Koa();
      for (const module of modules) {
        module.mount(market);
        module.readyWhen(readiness);
        running.unshift(module);
        await module.start(listener.server);
      }
      mountNoSuchCall(market, routeTable(Object.values(calls)), CALL_PREFIXES);
      for (const { pages } of modules) if (pages) market.use(pages);
      await whenReady(readiness, START, stopping.signal);
      startupPage.replaceBy(market);
      isOpen = true;
      logger.info({ services: modules.map(({ name }) => name), port: listening.port }, 'open');
    },
    async close() {
      stopping.abort();
      await listener.close();
      for (const module of running) await module.close();
    },
  };
}

const page = `<!doctype html>
<html lang="en-NG"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2"><title>Oja is opening</title></head>
<body><h1>Oja is opening</h1><p>The market is being laid out. This page looks again every two seconds.</p></body></html>
`;

/** What a process answers that already listens: until the market is there everybody is asked to wait. */
interface StartupPage {
  readonly middleware: Middleware;
  replaceBy(market: App): void;
}

function createStartupPage(): StartupPage {
  let inside: Middleware | null = null;
  return {
    middleware: (ctx, next) => {
      if (inside !== null) return inside(ctx, next);
      ctx.status = 503;
      ctx.set('Retry-After', '2');
      ctx.set('Cache-Control', 'no-store');
      if (ctx.accepts('html', 'json') === 'html') {
        ctx.type = 'html';
        ctx.body = page;
      } else {
        ctx.body = { success: false, message: 'Oja is opening. Please try again in a moment.' };
      }
      return undefined;
    },
    replaceBy(market) {
      inside = compose(market.middleware);
    },
  };
}

/** npm passes a terminal's Ctrl-C on to us, who had it already: within this time it is the same one. */
const SAME_PRESS_MS = 500;

/** How long closing may take, in milliseconds: answers under way have 10 s of it, and systemd and Docker kill at 30. */
const CLOSING_MS = 20_000;

/**
 * Calls `close` at the first Ctrl-C or termination; pressing again while it closes ends the process at
 * once, and so does an engine that lets nobody go: nothing acknowledged is lost by it. The promise
 * resolves when everything is closed.
 */
export function onShutdown(
  close: () => Promise<void>,
  { limitMs = CLOSING_MS, late }: { readonly limitMs?: number; readonly late: () => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let askedAt: number | null = null;
    const ask = (signal: NodeJS.Signals) => {
      if (askedAt === null) {
        askedAt = performance.now();
        setTimeout(() => {
          late();
          process.exit(exitCodes.failed);
        }, limitMs).unref();
        close().then(resolve, reject);
      } else if (performance.now() - askedAt > SAME_PRESS_MS) {
        process.exit(signal === 'SIGINT' ? 130 : 143);
      }
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
  });
}
