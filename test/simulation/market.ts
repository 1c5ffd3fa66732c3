import { createHash } from 'node:crypto';
import {
  type CommandService,
  createCommandService,
  createPasswords,
  type Deps,
  type Handlers,
  type Hashing,
} from '@oja/command-service';
import { createIdempotency } from '@oja/http';
import {
  type Access,
  type AccessTokens,
  createCommandHandler,
  createImages,
  createMemoryDocuments,
  createMemoryDocumentsData,
  createMemoryEventStore,
  createMemoryJobs,
  createMemoryJobsData,
  createMemoryKeys,
  createMemoryKeysData,
  createMemoryLog,
  createMemoryState,
  createMemoryStateData,
  createPaystack,
  createReadModels,
  createSealer,
  createSessions,
  type Logger,
  type Mail,
  type Notifier,
  type ProviderRequest,
} from '@oja/platform';
import { createProjector, projections, reactions } from '@oja/projector';
import { SECRET } from './provider.js';
import type { Program, Scheduler } from './scheduler.js';

export const PUBLIC_URL = 'https://oja.sim';
export const PROVIDER_URL = 'https://api.paystack.sim';
/** Calls the provider over the simulated network. */
async function sendByFetch({ url, timeoutMs, ...request }: ProviderRequest) {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...request, signal });
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
}

/** How long a browser waits for an answer, in milliseconds. */
const PATIENCE_MS = 120_000;

export type Running = { readonly program: Program } & (
  | { readonly kind: 'service'; readonly deps: Deps; readonly service: CommandService }
  | { readonly kind: 'projector' }
);

type Request<N extends keyof Handlers> = Parameters<Handlers[N]>[0];
/** An answer as a browser sees it. Calls resolve to null when none came. */
export interface Answer {
  readonly status: number;
  readonly body: object | null;
  readonly code: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly cookies: readonly { readonly name: string; readonly value: string | null }[];
}

/** The stores, which outlive every program of the market. */
export const createStores = () => ({
  log: createMemoryLog('the log of the simulation'),
  documents: createMemoryDocumentsData(),
  state: createMemoryStateData(),
  keys: createMemoryKeysData(),
  jobs: createMemoryJobsData(),
});
export type Stores = ReturnType<typeof createStores>;

/** A program hears news until it dies. */
function heardBy(program: Program, notifier: Notifier): Notifier {
  return {
    notify: () => notifier.notify(),
    listen(tell) {
      const unlisten = notifier.listen(tell);
      program.ending.push(unlisten);
      return unlisten;
    },
  };
}

/** A quick digest instead of a slow hash; only the scheduler delays it. */
const hashingOf = (access: Access): Hashing => {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  return {
    hash: (password) => access('hash', () => digest(password)),
    verify: (hashed, password) => access('verify hash', () => hashed === digest(password)),
  };
};

const accessTokens: AccessTokens = {
  issue: async ({ subject, session }) => `${subject}/${session}`,
  read: async (token) => {
    const [subject = '', session = ''] = token.split('/');
    return { status: 'valid', claims: { subject, session } };
  },
};

export interface MarketOptions {
  readonly scheduler: Scheduler;
  readonly stores: Stores;
  readonly services: number;
  readonly projectors: number;
  readonly payouts: boolean;
  /** Whether workers take jobs; if not, only the sweep does what is owed. */
  readonly queues: boolean;
  /** The operator's log: problems in the market's own words. */
  log(program: Program, text: string): void;
}

export type Market = ReturnType<typeof createMarket>;

/** The programs of the market on shared stores, and the calls that browsers can make. */
export function createMarket({ scheduler, stores, ...options }: MarketOptions) {
  const running = new Map<string, Running>();
  /** The program started last under each name. */
  const started = new Map<string, Program>();
  const clock = { now: () => scheduler.now() };
  let inFlight = 0;

  function loggerOf(program: Program): Logger {
    const quiet = () => {};
    const told = (context: object, text: string) => {
      const error =
        'err' in context && context.err instanceof Error
          ? `: ${context.err.stack ?? context.err.message}`
          : '';
      options.log(program, `${text}${error}`);
    };
    const logger: Logger = {
      debug: quiet,
      info: quiet,
      warn: told,
      error: told,
      fatal: told,
      child: () => logger,
    };
    return logger;
  }

  function enginesOf(program: Program) {
    const access = scheduler.access(program);
    const { log, documents, jobs } = stores;
    const heard = (notifier: Notifier) => heardBy(program, notifier);
    return {
      access,
      eventStore: createMemoryEventStore({ ...log, notifier: heard(log.notifier) }, access),
      documents: createMemoryDocuments(
        { ...documents, notifier: heard(documents.notifier) },
        access,
      ),
      state: createMemoryState(stores.state, access),
      keys: createMemoryKeys(stores.keys, access),
      jobs: createMemoryJobs({ data: { ...jobs, notifier: heard(jobs.notifier) }, access, clock }),
    };
  }

  function depsOf(program: Program): Deps {
    const { access, jobs, ...engines } = enginesOf(program);
    const { eventStore, documents, state, keys } = engines;
    const mail: Mail = { send: async () => {}, forget: async () => {}, close: async () => {} };
    return {
      ...createCommandHandler(eventStore, { clock: clock.now }),
      ...engines,
      ...(options.queues && { jobs }),
      logId: stores.log.id,
      readModels: createReadModels(documents, clock),
      sealer: createSealer(keys),
      sessions: createSessions(state, SECRET),
      accessTokens,
      passwords: createPasswords(state, hashingOf(access)),
      payments: createPaystack({ url: PROVIDER_URL, secret: SECRET, send: sendByFetch }),
      images: createImages({ publicUrl: PUBLIC_URL }),
      idempotency: createIdempotency(state, SECRET, clock),
      settings: { publicUrl: PUBLIC_URL, demo: true, payouts: options.payouts },
      mail,
      clock,
      logger: loggerOf(program),
    };
  }

  function begun(name: string): Program {
    const program = scheduler.program(name);
    started.set(name, program);
    return program;
  }

  function startService(name: string): void {
    const program = begun(name);
    scheduler.enter(program, 'start', () => {
      const deps = depsOf(program);
      const service = createCommandService(deps);
      running.set(name, { kind: 'service', program, deps, service });
      service.start();
    });
  }

  function startProjector(name: string): void {
    const program = begun(name);
    running.set(name, { kind: 'projector', program });
    scheduler.enter(program, 'start', () => {
      const projector = createProjector({
        ...enginesOf(program),
        projections,
        reactions,
        logger: loggerOf(program),
        clock,
        metrics: { setProjectionLag: () => {} },
      });
      projector.start().catch((error: unknown) => {
        // Like a real program that fails to start: it exits and is started again.
        options.log(program, `a projector could not start: ${String(error)}`);
        scheduler.kill(program);
      });
    });
  }

  /** Does nothing if it is already running. */
  function start(name: string): void {
    if (started.get(name)?.alive) return;
    if (name.startsWith('service')) startService(name);
    else startProjector(name);
  }

  const services = () =>
    [...running.values()].flatMap((each) =>
      each.kind === 'service' && each.program.alive ? [each] : [],
    );

  /** Does work in one of the services; null: no answer in time. */
  async function ask<T>(
    what: string,
    work: (deps: Deps, service: CommandService) => Promise<T>,
    isLossy: boolean,
  ): Promise<T | null> {
    const alive = services();
    const { random } = scheduler;
    if (alive.length === 0) {
      await scheduler.sleep(random.between(1_000, 20_000), 'nobody answers');
      return null;
    }
    const { program, deps, service } = random.pick(alive);
    // The delay and loss of the request; the response's follow below.
    await scheduler.sleep(random.between(5, 300), `asks ${what}`);
    if (isLossy && random.chance(0.03)) return null;
    inFlight += 1;
    const answer = await new Promise<T | null>((resolve) => {
      const lost = () => resolve(null);
      program.ending.push(lost);
      scheduler.at(scheduler.now() + PATIENCE_MS, 'impatience', lost);
      if (!program.alive) lost();
      scheduler.enter(program, what, () => {
        work(deps, service).then(resolve, (error: unknown) => {
          options.log(program, `${what} has thrown: ${String(error)}`);
          resolve(null);
        });
      });
    });
    inFlight -= 1;
    await scheduler.sleep(random.between(5, 300), `hears of ${what}`);
    return isLossy && random.chance(0.05) ? null : answer;
  }

  return {
    stores,
    start(): void {
      for (let number = 1; number <= options.services; number += 1) start(`service ${number}`);
      for (let number = 1; number <= options.projectors; number += 1) start(`projector ${number}`);
    },
    restart: start,
    programs: () => [...started.values()],
    isInUse: () => inFlight > 0,
    hasProjector: () =>
      [...running.values()].some(
        ({ kind, program }) =>
          kind === 'projector' && program.alive && program.suspendedUntil <= scheduler.now(),
      ),
    /** An operator at the terminal: requests are not lost. */
    operate: <T>(what: string, work: (deps: Deps) => Promise<T>) => ask(what, work, false),
    /** A request of a browser or of the provider. */
    async call<N extends keyof Handlers>(
      name: N,
      request: Partial<Request<N>> & Pick<Request<N>, 'params' | 'body'>,
      more: {
        readonly cookies?: Readonly<Record<string, string>>;
        readonly headers?: Readonly<Record<string, string>>;
      } = {},
    ): Promise<Answer | null> {
      const answer = await ask(
        name,
        async (_, { handlers }) => {
          const handler: (request: never) => unknown = handlers[name];
          const whole: Record<keyof Request<keyof Handlers>, unknown> = {
            query: undefined,
            commandId: undefined,
            actor: null,
            tokenFailure: null,
            correlationId: '00000000-0000-4000-8000-000000000000',
            clientAddress: '10.0.0.1',
            disconnected: new AbortController().signal,
            position: null,
            cookie: (cookie: string) => more.cookies?.[cookie],
            header: (header: string) => more.headers?.[header],
            ...request,
          };
          return answerOf(await handler(whole as never));
        },
        true,
      );
      return answer;
    },
  };
}

/** A handler's result as the HTTP kit would send it. */
function answerOf(answered: unknown): Answer {
  const { failed, status, body, cookies } = answered as {
    readonly failed?: {
      readonly status: number;
      readonly code?: string;
      readonly details?: Answer['details'];
    };
    readonly status?: number;
    readonly body?: object;
    readonly cookies?: Answer['cookies'];
  };
  return {
    status: failed?.status ?? status ?? 500,
    code: failed?.code ?? null,
    details: failed?.details ?? {},
    body: body ?? null,
    cookies: cookies ?? [],
  };
}
