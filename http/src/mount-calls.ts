import Router from '@koa/router';
import type { Call, RouteTable } from '@oja/contracts';
import { IDEMPOTENCY_HEADER, POSITION_HEADER, STALE_HEADER } from '@oja/contracts/wire';
import { addressBlock, type Clock, currentCorrelation } from '@oja/platform';
import {
  type AnyAnswer,
  answerFailure,
  createCookies,
  type Failed,
  type KeptAnswer,
  sendAnswer,
  toWire,
  type WireAnswer,
} from './answer.js';
import type { CallHandlers, CallRequest } from './call.js';
import { type CallInput, readInput } from './call-input.js';
import { commandIdOf, type Idempotency, readIdempotencyKey } from './idempotency.js';
import { foreignOrigin } from './origin.js';
import { awaitPosition, type Positions, readPosition } from './position.js';
import type { RateLimiter, RateRule } from './rate-limit.js';
import type { App, Context } from './types.js';

/** Who is asking. */
export type Identity<A> =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'actor'; readonly actor: A }
  /** A token that is no good (any more), and how to say so. */
  | { readonly kind: 'refused'; readonly failed: Failed };

interface MountOptions<C extends Call, A> {
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly idempotency: Idempotency;
  readonly positions: Positions;
  /** Reads the token, and the person's rights as they are now. */
  actorOf(ctx: Context): Promise<Identity<A>>;
  /** Why this actor may not make the call; null: they may. */
  refusalOf(call: C, actor: A | null): Failed | null;
  /** The actor's name in command ids, idempotency and log lines: `seller:<id>`. */
  nameOf(actor: A): string;
  readonly rateLimiter?: RateLimiter;
  /** Per client address; an answer given again does not count. */
  readonly rateRules?: Partial<Readonly<Record<C['name'], RateRule>>>;
  /** Told of every request that a rate rule has refused. */
  readonly limited?: (hit: {
    readonly rule: string;
    readonly actor: A | null;
    readonly clientAddress: string;
  }) => void;
}

type Outcome = WireAnswer & { readonly signedIn?: boolean };

const failedWith = (failed: Failed): Outcome => ({ ok: false, failed, cookies: [] });
const isUnsafe = (method: string): boolean => method !== 'GET' && method !== 'HEAD';
/** How long any call but an upload may take, its body included, in milliseconds. */
const ANSWER_TIMEOUT_MS = 120_000;
const TOO_SLOW: Failed = {
  status: 503,
  message: 'This took too long. Please try again.',
  headers: { 'Retry-After': '5' },
};
const TOO_MANY = 'That was too often. Please wait a moment and try again.';
/** The name of nobody in command ids. */
const ANYONE = 'anyone';

/**
 * Serves the calls of a table. Each request is: checked for its origin, identified, admitted, parsed,
 * looked up by its Idempotency-Key, counted, made to wait for its position, and handed to its handler.
 * A path that no call claims goes on to whatever is mounted next.
 */
export function mountCalls<C extends Call, A>(
  app: App,
  table: Pick<RouteTable<C>, 'calls'>,
  handlers: CallHandlers<C, A>,
  options: MountOptions<NoInfer<C>, A>,
): void {
  const cookies = createCookies(options.publicUrl);
  const { positions, clock } = options;

  async function admit(call: C, ctx: Context) {
    if (call.actsOnCookie || isUnsafe(ctx.method)) {
      const foreign = foreignOrigin(ctx.req.headers, options.publicUrl);
      if (foreign !== null) return { ok: false as const, failed: foreign };
    }
    const identity = await options.actorOf(ctx);
    const actor = identity.kind === 'actor' ? identity.actor : null;
    if (actor !== null) ctx.state.actor = options.nameOf(actor);
    const notRecognised = identity.kind === 'refused' ? identity.failed : null;
    const refusal = options.refusalOf(call, actor);
    // Whoever came with a token is told what is wrong with it, not that there was none.
    if (refusal !== null) return { ok: false as const, failed: notRecognised ?? refusal };
    return { ok: true as const, actor, notRecognised };
  }

  async function tooOften(call: C, ctx: Context, actor: A | null): Promise<Failed | null> {
    const name: C['name'] = call.name;
    const rule = options.rateRules?.[name];
    if (rule === undefined || options.rateLimiter === undefined) return null;
    const key = addressBlock(ctx.state.clientAddress);
    const answer = await options.rateLimiter.hit(rule, key, clock.now());
    if (answer.allowed) return null;
    const { clientAddress } = ctx.state;
    options.limited?.({ rule: rule.name, actor, clientAddress });
    const headers = { 'Retry-After': String(answer.retryAfterSeconds) };
    return { status: 429, message: TOO_MANY, headers };
  }

  async function work(
    call: C,
    ctx: Context,
    input: CallInput,
    who: { actor: A | null; notRecognised: Failed | null; commandId: string },
  ): Promise<WireAnswer> {
    const often = await tooOften(call, ctx, who.actor);
    if (often !== null) return failedWith(often);
    const token = ctx.get(POSITION_HEADER);
    if ((await awaitPosition(token, call.reads, positions)) === 'stale') {
      ctx.set(STALE_HEADER, 'true');
    }
    const request = {
      params: input.params,
      query: input.query,
      body: input.body,
      ...who,
      correlationId: currentCorrelation() ?? ctx.state.correlationId,
      clientAddress: ctx.state.clientAddress,
      left: leavingOf(ctx),
      position: readPosition(token, positions.logId),
      cookie: (name: string) => cookies.read(ctx.req.headers.cookie, name),
      header: (name: string) => ctx.get(name) || undefined,
    };
    return toWire(await handlerOf(handlers, call)(request), positions.logId);
  }

  async function answer(
    call: C,
    params: Readonly<Record<string, string>>,
    ctx: Context,
  ): Promise<Outcome> {
    const admitted = await admit(call, ctx);
    if (!admitted.ok) return failedWith(admitted.failed);
    const { actor, notRecognised } = admitted;
    const signedIn = actor !== null;
    const keyed = readIdempotencyKey(call.idempotent ? ctx.get(IDEMPOTENCY_HEADER) : '');
    if (!keyed.ok) return failedWith(keyed.failed);
    const read = await readInput(call, params, ctx);
    if (!read.ok) return failedWith(read.failed);

    const { key } = keyed;
    const actorName = actor === null ? ANYONE : options.nameOf(actor);
    const identity = { actor: actorName, method: ctx.method, path: ctx.url, key };
    const who = { actor, notRecognised, commandId: commandIdOf(identity) };
    const run = () => work(call, ctx, read.input, who);
    if (key === null) return { ...(await run()), signedIn };

    const begun = await options.idempotency.begin({ ...identity, key, body: read.input.bytes });
    if (begun.kind === 'refused') return failedWith(begun.failed);
    if (begun.kind === 'replay') return { ok: true, answer: begun.answer, cookies: [], signedIn };
    try {
      const wire = await run();
      await begun.settle(toKeep(call, wire));
      return { ...wire, signedIn };
    } catch (error) {
      // If even that fails, the claim runs out by itself.
      await begun.settle('failed').catch(() => undefined);
      throw error;
    }
  }

  const router = new Router({ strict: true, sensitive: true });
  for (const call of table.calls) {
    router.register(call.path, [call.method], async (ctx, next) => {
      // What cannot be decoded is told so behind all calls.
      if (!isDecodable(ctx.path)) return next();
      ctx.state.route = call.path;
      const ofOnePerson = isOfOnePerson(call);
      if (ofOnePerson) ctx.set('Referrer-Policy', 'no-referrer');
      const working = answer(call, ctx.params, ctx);
      const upload = call.bodyKind === 'multipart';
      const outcome = upload ? await working : await withinLimit(working);
      sendAnswer(ctx, outcome, { cookies, personal: ofOnePerson || outcome.signedIn === true });
      return undefined;
    });
  }
  app.use(router.routes());
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether all that a call answers is for one person: whoever is signed in, holds an order's secret, or
 * gets a cookie with it. A new call is, unless its row says that anyone may make it.
 */
const isOfOnePerson = ({ access, actsOnCookie }: Call): boolean =>
  access !== 'anyone' || actsOnCookie;

/** The answer, or a failure once it has taken too long. What was begun goes on and is not waited for. */
async function withinLimit(working: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(failedWith(TOO_SLOW)), ANSWER_TIMEOUT_MS);
  });
  return Promise.race([working, tooLong]).finally(() => clearTimeout(timer));
}

function leavingOf({ res }: Context): AbortSignal {
  const leaving = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

/** Only what succeeded is kept, and never what holds a cookie or another secret. */
function toKeep(call: Call, wire: WireAnswer): KeptAnswer | 'done' | 'failed' {
  if (!wire.ok) return 'failed';
  return call.keepsAnswer && wire.cookies.length === 0 ? wire.answer : 'done';
}

type AnyRequest<A> = Omit<
  CallRequest<Call, A>,
  'params' | 'query' | 'body' | 'actor' | 'answers'
> & { params: unknown; query: unknown; body: unknown; actor: A | null };

/** The handler without its types: what it is given was parsed by the very schemas its types come from. */
function handlerOf<C extends Call, A>(handlers: CallHandlers<C, A>, call: C) {
  const byName = handlers as Readonly<
    Record<string, (request: AnyRequest<A>) => AnyAnswer | Promise<AnyAnswer>>
  >;
  const handler = byName[call.name];
  if (handler === undefined) throw new Error(`nobody handles ${call.name}`);
  return handler;
}

/** Ends every path under the prefixes that no call took: 405 with what is allowed, 400 or 404. */
export function mountNoSuchCall(
  app: App,
  table: RouteTable<Call>,
  prefixes: readonly string[],
): void {
  app.use((ctx, next) => {
    const found = table.find(ctx.method, ctx.path);
    if (found.kind === 'other-method') {
      const headers = { Allow: found.allow.join(', ') };
      const message = `Use ${found.allow.join(' or ')} here`;
      answerFailure(ctx, { status: 405, message, headers });
    } else if (found.kind === 'malformed') {
      answerFailure(ctx, { status: 400, message: 'The address is not written as it should be' });
    } else if (prefixes.some((prefix) => ctx.path.startsWith(prefix))) {
      answerFailure(ctx, { status: 404, message: 'There is no such call' });
    } else {
      return next();
    }
    return undefined;
  });
}
