import { defineCall, routeTable } from '@oja/contracts';
import {
  type App,
  type CallHandlers,
  createApp,
  createIdempotency,
  createListener,
  createRateLimiter,
  createReadiness,
  type Failure,
  mountCalls,
  mountNoSuchCall,
  type Positions,
  type RateRule,
} from '@oja/http';
import {
  createMemoryState,
  createMemoryStateData,
  createMetrics,
  type Logger,
  type Position,
  type State,
} from '@oja/platform';
import { z } from 'zod';

type Line = { level: string; fields: Record<string, unknown>; message: string };

export function memoryLogger(): Logger & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    fatal: write('fatal'),
    child: () => logger,
  };
  return Object.assign(logger, { lines });
}

export interface Person {
  readonly id: string;
  readonly admin: boolean;
}

const ok = { 200: z.object({ success: z.literal(true) }) };
const done = { 201: z.object({ success: z.literal(true), commandId: z.string(), by: z.string() }) };

/** A few calls of a market that sells nothing. */
export const calls = [
  defineCall({
    name: 'list',
    method: 'GET',
    owner: 'command-service',
    path: '/v1/list',
    access: 'anyone',
    reads: ['shelf'],
    query: z.object({ limit: z.coerce.number().int().min(1).max(9).optional() }),
    answers: { 200: z.object({ success: z.literal(true), items: z.array(z.string()) }) },
  }),
  defineCall({
    name: 'make',
    method: 'POST',
    owner: 'command-service',
    path: '/v1/make',
    bodyKind: 'json',
    idempotent: true,
    body: z.strictObject({
      name: z.string().min(6, 'minimum of 6 characters').max(40),
      price: z.number().int().min(1),
      flag: z.union([z.literal(0), z.literal(1)]).optional(),
      state: z.enum(['New', 'Used', '']).optional(),
      tags: z
        .array(z.strictObject({ word: z.string() }))
        .min(1)
        .optional(),
    }),
    access: 'seller',
    answers: done,
  }),
  defineCall({
    name: 'secretly',
    method: 'POST',
    owner: 'command-service',
    path: '/v1/secretly',
    access: 'anyone',
    idempotent: true,
    keepsAnswer: false,
    answers: done,
  }),
  defineCall({
    name: 'toggle',
    method: 'PUT',
    owner: 'command-service',
    path: '/v1/toggle',
    idempotent: true,
    access: 'seller',
    answers: done,
  }),
  defineCall({
    name: 'login',
    method: 'POST',
    owner: 'command-service',
    path: '/v1/login',
    access: 'anyone',
    actsOnCookie: true,
    answers: ok,
  }),
  defineCall({
    name: 'whoami',
    method: 'GET',
    owner: 'command-service',
    path: '/v1/whoami',
    access: 'anyone',
    actsOnCookie: true,
    answers: { 200: z.object({ cookie: z.string().nullable() }) },
  }),
  defineCall({
    name: 'admins',
    method: 'GET',
    owner: 'command-service',
    path: '/v1/admins',
    access: 'head-admin',
    answers: ok,
  }),
  defineCall({
    name: 'hook',
    method: 'POST',
    owner: 'command-service',
    path: '/v1/hook',
    access: 'anyone',
    bodyKind: 'raw',
    answers: { 200: z.object({ bytes: z.number() }) },
  }),
  defineCall({
    name: 'broken',
    method: 'GET',
    owner: 'command-service',
    path: '/v1/broken',
    access: 'anyone',
    answers: ok,
  }),
];
type TestCall = (typeof calls)[number];

const table = routeTable<TestCall>(calls);

const LOG_ID = 'log-1';
export const at = (n: number) => String(n).padStart(20, '0') as Position;

const failedToken = (status: number, message: string): Failure => ({ status, message });

export interface Harness {
  readonly url: string;
  readonly port: number;
  readonly logger: ReturnType<typeof memoryLogger>;
  readonly readiness: ReturnType<typeof createReadiness>;
  readonly clock: { time: number; now(): number };
  readonly state: State;
  /** Milliseconds that reads were asked to wait. */
  readonly waits: number[];
  /** How often each handler ran. */
  readonly ran: Record<string, number>;
  call(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: unknown; as?: string },
  ): Promise<Response>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly secret?: string;
  readonly fallback?: string | null;
  readonly publicUrl?: string;
  readonly trustedProxy?: readonly string[];
  readonly passed?: Position;
  readonly rateRules?: Partial<Record<TestCall['name'], RateRule | readonly RateRule[]>>;
  readonly state?: State;
  readonly handlers?: Partial<CallHandlers<TestCall, Person>>;
  /** Whether this person's rights have ended; asked each time that they are judged. */
  readonly isRefused?: (id: string) => boolean;
  readonly mount?: (app: App) => void;
  /** Has the lines instead of the harness's own. */
  readonly logsTo?: Logger;
}

/** A real server on a free port, with tokens that are the names of people. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const logger = memoryLogger();
  const state = options.state ?? createMemoryState(createMemoryStateData());
  const clock = { time: 1_800_000_000_000, now: () => clock.time };
  const readiness = createReadiness();
  const waits: number[] = [];
  const ran: Record<string, number> = {};
  const count = (name: string) => {
    ran[name] = (ran[name] ?? 0) + 1;
  };
  const publicUrl = options.publicUrl ?? 'http://localhost:8080';
  const app = createApp({
    logger: options.logsTo ?? logger,
    metrics: createMetrics(),
    readiness,
    publicUrl,
    trustedProxy: options.trustedProxy ?? [],
  });
  const positions: Positions = {
    logId: LOG_ID,
    head: async () => at(10),
    async waitFor(_projections, position, timeoutMs) {
      waits.push(timeoutMs);
      return position <= (options.passed ?? at(5));
    },
  };
  const handlers: CallHandlers<TestCall, Person> = {
    list: ({ query }) => {
      count('list');
      const items = Array.from({ length: query.limit ?? 300 }, (_, i) => `thing ${i}`);
      return { status: 200, body: { success: true, items } };
    },
    make: ({ commandId, actor }) => {
      count('make');
      return {
        status: 201,
        body: { success: true, commandId, by: actor.id },
        position: at(7),
        headers: { 'X-Made': 'yes' },
      };
    },
    secretly: ({ commandId }) => {
      count('secretly');
      return { status: 201, body: { success: true, commandId, by: 'anyone' } };
    },
    toggle: ({ commandId, actor }) => {
      count('toggle');
      return { status: 201, body: { success: true, commandId, by: actor.id } };
    },
    login: () => ({
      status: 200,
      body: { success: true },
      cookies: [{ name: 'refresh', value: 'abc.def', maxAgeSeconds: 60 }],
    }),
    whoami: ({ cookie }) => ({ status: 200, body: { cookie: cookie('refresh') ?? null } }),
    admins: () => ({ status: 200, body: { success: true } }),
    hook: ({ body }) => ({ status: 200, body: { bytes: body.length } }),
    broken: () => {
      throw new Error('password is hunter2');
    },
    ...options.handlers,
  };
  mountCalls<TestCall, Person>(app, table, handlers, {
    publicUrl,
    clock,
    positions,
    idempotency: createIdempotency(state, options.secret ?? 'a secret', clock, options.fallback),
    rateLimiter: createRateLimiter(state),
    ...(options.rateRules === undefined ? {} : { rateRules: options.rateRules }),
    async actorOf(ctx) {
      const token = /^Bearer (.+)$/.exec(ctx.get('Authorization'))?.[1];
      if (token === undefined) return { kind: 'nobody' };
      if (token === 'expired') {
        return { kind: 'refused', failed: failedToken(403, 'Your session has expired') };
      }
      return { kind: 'actor', actor: { id: token, admin: token === 'admin' } };
    },
    refusalOf(call, actor) {
      if (call.access === 'anyone') return null;
      if (actor === null) return failedToken(401, 'Please log in');
      if (options.isRefused?.(actor.id)) return failedToken(403, 'You are suspended');
      return call.access === 'head-admin' && !actor.admin ? failedToken(403, 'Not for you') : null;
    },
    nameOf: (actor) => `seller:${actor.id}`,
  });
  options.mount?.(app);
  mountNoSuchCall(app, table, ['/v1/']);
  const listener = createListener(app, { port: 0, hosts: ['127.0.0.1'] });
  const listening = await listener.listen();
  if (!listening.ok) throw new Error(listening.message);
  const url = `http://127.0.0.1:${listening.port}`;
  return {
    url,
    port: listening.port,
    logger,
    readiness,
    clock,
    state,
    waits,
    ran,
    call(method, path, { headers = {}, body, as } = {}) {
      const json = body !== undefined && !('Content-Type' in headers);
      return fetch(url + path, {
        method,
        headers: {
          ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
          ...(json ? { 'Content-Type': 'application/json' } : {}),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
    close: () => listener.close(0),
  };
}
