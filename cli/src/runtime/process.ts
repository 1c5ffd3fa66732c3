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
import { addWriteConditions } from './readiness.js';

/** One service, as the process that runs it uses it, alone or with others. */
export interface ServiceModule {
  readonly name: ServiceName;
  /** Mounts its calls and other routes; called before `start`. */
  mount(app: App): void;
  /** The fallback for paths that nothing else answers; mounted last. */
  readonly pages?: Middleware;
  /** Adds the conditions under which it can serve. */
  readyWhen(readiness: Readiness): void;
  start(server: Server): Promise<void>;
  /** Ends its work. */
  close(): Promise<void>;
}

/** A process that listens at once, and serves when its modules are ready. */
interface MarketProcess {
  /** Starts the modules, and serves with them as soon as all are ready. @throws when it is closed meanwhile. */
  open(modules: readonly ServiceModule[]): Promise<void>;
  /** Waits for open responses, then closes the modules, the last one first, whether they have started or not. */
  close(): Promise<void>;
}

/** Only calls exist below these prefixes: an unknown path there gets an error as JSON, not a page. */
const CALL_PREFIXES = ['/v1/', '/v1_1/', '/subscription'];
/** How often an opening process checks whether everything is ready, in milliseconds. */
const POLL_MS = 20;

/** Resolves when only the condition `last` is unmet, or at the signal. */
async function whenReady(readiness: Readiness, last: string, signal: AbortSignal): Promise<void> {
  const isLeft = (name: string) => name !== last;
  while (!signal.aborted && (await readiness.unmetConditions()).some(isLeft)) await wait(POLL_MS);
}

/** The readiness condition that is met when the market serves requests. */
const START = 'start';

/**
 * Starts to listen at once: early visitors get a page that asks them to wait, and no other process takes the port.
 * @throws Exit 78 when the port is not available.
 */
export async function startProcess(
  context: Pick<AppContext, 'config' | 'logger' | 'metrics'>,
): Promise<MarketProcess> {
  const { config, logger, metrics } = context;
  const { publicUrl, trustedProxy } = config;
  const readiness = createReadiness();
  let isOpen = false;
  readiness.add(START, () => isOpen);
  addWriteConditions(readiness, config.dataDir);
  const imageOrigins = imageOriginsOf(config.cloudinary && { uploadUrl: config.cloudinary.url });
  const app = createApp({ logger, metrics, readiness, publicUrl, trustedProxy, imageOrigins });
  const startupPage = createStartupPage();
  app.use(startupPage.middleware);
  const listener = createListener(app, { port: config.port, hosts: config.hosts, upgradePaths });
  const listening = await listener.listen();
  if (!listening.ok) throw configExit(listening.message);

  const stopping = new AbortController();
  let opened: readonly ServiceModule[] = [];
  return {
    async open(modules) {
      // All at once: a module works from its creation on, and must not be left behind when the process is closed now.
      opened = modules;
      const market: App = new Koa();
      for (const module of modules) {
        module.mount(market);
        module.readyWhen(readiness);
        await module.start(listener.server);
        stopping.signal.throwIfAborted();
      }
      mountNoSuchCall(market, routeTable(Object.values(calls)), CALL_PREFIXES);
      for (const { pages } of modules) if (pages) market.use(pages);
      await whenReady(readiness, START, stopping.signal);
      stopping.signal.throwIfAborted();
      startupPage.replaceBy(market);
      isOpen = true;
      logger.info({ services: modules.map(({ name }) => name), port: listening.port }, 'open');
    },
    async close() {
      stopping.abort();
      await listener.close();
      for (const module of opened.toReversed()) await module.close();
    },
  };
}

const startupPageHtml = `<!doctype html>
<html lang="en-NG"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2"><title>Oja is opening</title></head>
<body><h1>Oja is opening</h1><p>The market is being laid out. This page looks again every two seconds.</p></body></html>
`;

/** Answers 503 with a page that asks to wait, until it is replaced by the market. */
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
        ctx.body = startupPageHtml;
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

/** npm forwards a Ctrl-C that we got from the terminal already: a second signal within this time is the same press. */
const SAME_PRESS_MS = 500;

/** How long closing may take, in milliseconds. Open responses get 10 s of it; systemd and Docker kill after 30 s. */
const CLOSING_MS = 20_000;

/**
 * Calls `close` at the first SIGINT or SIGTERM, or when `told` aborts, and resolves when it is done. A second signal ends
 * the process at once, and so does a close that takes longer than `limitMs` (after calling `late`); neither loses anything
 * acknowledged.
 */
export function onShutdown(
  close: () => Promise<void>,
  {
    limitMs = CLOSING_MS,
    late,
    told,
  }: { readonly limitMs?: number; readonly late: () => void; readonly told?: AbortSignal },
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
    told?.addEventListener('abort', () => ask('SIGTERM'), { once: true });
  });
}
