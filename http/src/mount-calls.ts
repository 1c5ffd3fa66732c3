import Router from '@koa/router';
import type { Call, RouteTable } from '@oja/contracts';
import { IDEMPOTENCY_HEADER, POSITION_HEADER, STALE_HEADER } from '@oja/contracts/wire';
import {
  addressBlock,
  type Clock,
  currentCorrelation,
  isWithin,
  withTimeLimit,
} from '@oja/platform';
import {
  type AnyAnswer,
  answerFailure,
  awaitPosition,
  createCookies,
  type Failure,
  type Positions,
  readPosition,
  type StoredAnswer,
  sendAnswer,
  serializeAnswer,
  type WireAnswer,
} from './answer.js';
import type { CallHandlers, CallRequest } from './call.js';
import { BODY_TIMEOUT_MS, type CallInput, readInput } from './call-input.js';
import { commandIdOf, type Idempotency, readIdempotencyKey } from './idempotency.js';
import { crossSiteFailure } from './origin.js';
import type { RateLimiter, RateRule } from './rate-limit.js';
import type { App, Context } from './types.js';

/** Who is calling. */
export type Identity<A> =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'actor'; readonly actor: A }
  /** The token is not valid (any more); `failed` is the answer that says so. */
  | { readonly kind: 'refused'; readonly failed: Failure };

interface MountOptions<C extends Call, A> {
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly idempotency: Idempotency;
  readonly positions: Positions;
  /** Reads the access token and the person's current rights. */
  actorOf(ctx: Context): Promise<Identity<A>>;
  /** Why this actor may not make the call; null when they may. */
  refusalOf(call: C, actor: A | null): Failure | null;
  /** The actor's name in command ids, idempotency and log lines: `seller:<id>`. */
  nameOf(actor: A): string;
  readonly rateLimiter?: RateLimiter;
  /** Limits per client address or person; of several, all must allow it. Replayed answers do not count. */
  readonly rateRules?: Partial<Readonly<Record<C['name'], RateRule | readonly RateRule[]>>>;
  /** Called for every request that a rate rule refused. */
  readonly limited?: (hit: {
    readonly rule: string;
    readonly actor: A | null;
    readonly clientAddress: string;
  }) => void;
}

type Outcome = WireAnswer & { readonly signedIn?: boolean };

const failedWith = (failed: Failure): Outcome => ({ ok: false, failed, cookies: [] });
const isUnsafe = (method: string): boolean => method !== 'GET' && method !== 'HEAD';
/** How long a call may take, its body included, in milliseconds. Whoever sends too slowly is told that, not this. */
const ANSWER_TIMEOUT_MS = BODY_TIMEOUT_MS + 20_000;
const TOO_SLOW: Failure = {
  status: 503,
  message: 'This took too long. Please try again.',
  headers: { 'Retry-After': '5' },
};
const TOO_MANY = 'That was too often. Please wait a moment and try again.';
/** A body that takes longer to come than this may come from somebody whose rights have ended meanwhile. */
const LONG_READ_MS = 1_000;
/** The actor name of an anonymous caller in command ids. */
const ANYONE = 'anyone';

/** One that a rule counted. */
interface Hit {
  readonly rule: RateRule;
  readonly key: string;
}

/**
 * Serves the calls of a table. For each request, in this order: check the origin, authenticate and check the rights
 * (`admit`), parse the input, look up the Idempotency-Key (`runOnce`), apply the rate limit (`countRequest`), wait for the client's
 * position, and run the handler. A path that matches no call goes on to the next middleware.
 */
export function mountCalls<C extends Call, A>(
  app: App,
  table: Pick<RouteTable<C>, 'calls'>,
  handlers: CallHandlers<C, A>,
  options: MountOptions<NoInfer<C>, A>,
): void {
  const cookies = createCookies(options.publicUrl);
  const { positions, clock } = options;

  async function answer(
    call: C,
    params: Readonly<Record<string, string>>,
    ctx: Context,
  ): Promise<Outcome> {
    const first = await admit(call, ctx, options);
    if (!first.ok) return failedWith(first.failed);
    const keyed = readIdempotencyKey(call.idempotent ? ctx.get(IDEMPOTENCY_HEADER) : '');
    if (!keyed.ok) return failedWith(keyed.failed);
    const began = clock.now();
    const read = await readInput(call, params, ctx);
    if (!read.ok) return failedWith(read.failed);
    const wasLong = !isWithin(LONG_READ_MS, began, clock.now());
    const admitted = wasLong && first.actor !== null ? await admit(call, ctx, options) : first;
    if (!admitted.ok) return failedWith(admitted.failed);

    const { actor, tokenFailure } = admitted;
    const { key } = keyed;
    const actorName = actor === null ? ANYONE : options.nameOf(actor);
    const identity = { actor: actorName, method: ctx.method, path: ctx.url, key };
    const who = { actor, tokenFailure, commandId: commandIdOf(identity) };
    const run = () => work(call, ctx, read.input, who);
    const outcome =
      key === null
        ? await run()
        : await runOnce(
            options.idempotency,
            call,
            { ...identity, key, body: read.input.bytes },
            run,
          );
    return { signedIn: actor !== null, ...outcome };
  }

  async function work(
    call: C,
    ctx: Context,
    input: CallInput,
    who: { actor: A | null; tokenFailure: Failure | null; commandId: string },
  ): Promise<WireAnswer> {
    const hits = await countRequest(call, ctx, who.actor, options);
    if ('status' in hits) return failedWith(hits);
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
      disconnected: disconnectSignalOf(ctx),
      position: readPosition(token, positions.logId),
      cookie: (name: string) => cookies.read(ctx.req.headers.cookie, name),
      header: (name: string) => ctx.get(name) || undefined,
    };
    let failed: Failure | 'thrown' | null = 'thrown';
    try {
      const answered = await handlerOf(handlers, call)(request);
      failed = 'failed' in answered ? answered.failed : null;
      return serializeAnswer(answered, positions.logId);
    } finally {
      // Told that their token has expired, they come again at once with a new one.
      const isTokenOver = failed !== null && failed === who.tokenFailure;
      for (const { rule, key } of hits)
        if (isTokenOver || (failed !== null && rule.countsOnlyDone))
          await options.rateLimiter?.giveBack(rule, key, clock.now());
    }
  }

  const router = new Router({ strict: true, sensitive: true });
  for (const call of table.calls) {
    router.register(call.path, [call.method], async (ctx, next) => {
      // `mountNoSuchCall` answers paths that cannot be decoded.
      if (!isDecodable(ctx.path)) return next();
      ctx.state.route = call.path;
      const ofOnePerson = isOfOnePerson(call);
      if (ofOnePerson) ctx.set('Referrer-Policy', 'no-referrer');
      const answering = answer(call, ctx.params, ctx);
      const outcome = await withTimeLimit(ANSWER_TIMEOUT_MS, answering, failedWith(TOO_SLOW));
      sendAnswer(ctx, outcome, { cookies, personal: ofOnePerson || outcome.signedIn === true });
      return undefined;
    });
  }
  app.use(router.routes());
}

/** Who makes a request, or why they may not. */
type Admission<A> =
  | { readonly ok: true; readonly actor: A | null; readonly tokenFailure: Failure | null }
  | { readonly ok: false; readonly failed: Failure };

/** Checks where a request comes from, and whether its caller may make the call. */
async function admit<C extends Call, A>(
  call: C,
  ctx: Context,
  options: MountOptions<C, A>,
): Promise<Admission<A>> {
  if (call.actsOnCookie || isUnsafe(ctx.method)) {
    const foreign = crossSiteFailure(ctx.req.headers, options.publicUrl);
    if (foreign !== null) return { ok: false, failed: foreign };
  }
  const identity = await options.actorOf(ctx);
  const actor = identity.kind === 'actor' ? identity.actor : null;
  if (actor !== null) ctx.state.actor = options.nameOf(actor);
  const tokenFailure = identity.kind === 'refused' ? identity.failed : null;
  const refusal = options.refusalOf(call, actor);
  // A caller with a bad token is told what is wrong with the token, not that it is missing.
  if (refusal !== null) return { ok: false, failed: tokenFailure ?? refusal };
  return { ok: true, actor, tokenFailure };
}

/** Does a request with an Idempotency-Key only once; a repetition gets the same answer. */
async function runOnce(
  idempotency: Idempotency,
  call: Call,
  request: Parameters<Idempotency['begin']>[0],
  run: () => Promise<WireAnswer>,
): Promise<Outcome> {
  const begun = await idempotency.begin(request);
  if (begun.kind === 'refused') return { ...failedWith(begun.failed), signedIn: false };
  if (begun.kind === 'replay') return { ok: true, answer: begun.answer, cookies: [] };
  try {
    const wire = await run();
    await begun.settle(toStoredAnswer(call, wire));
    return wire;
  } catch (error) {
    // If this fails too, the claim expires by itself.
    await begun.settle('failed').catch(() => undefined);
    throw error;
  }
}

/** Counts the request by the rules of its call. Returns what was counted, or the failure when it is too often. */
async function countRequest<C extends Call, A>(
  call: C,
  ctx: Context,
  actor: A | null,
  { rateRules, rateLimiter, nameOf, clock, limited }: MountOptions<C, A>,
): Promise<readonly Hit[] | Failure> {
  const name: C['name'] = call.name;
  const { clientAddress } = ctx.state;
  const hits: Hit[] = [];
  for (const rule of [rateRules?.[name] ?? []].flat()) {
    const isOfPerson = rule.per === 'person' && actor !== null;
    const key = isOfPerson ? nameOf(actor) : addressBlock(clientAddress);
    const answer = await rateLimiter?.hit(rule, key, clock.now());
    if (answer === undefined || answer.allowed) {
      hits.push({ rule, key });
      continue;
    }
    // Who is refused for what others of their address do must not use up their own day by that.
    for (const hit of hits) await rateLimiter?.giveBack(hit.rule, hit.key, clock.now());
    limited?.({ rule: rule.name, actor, clientAddress });
    const headers = { 'Retry-After': String(answer.retryAfterSeconds) };
    return { status: 429, message: TOO_MANY, headers };
  }
  return hits;
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
 * Whether the answers of a call are for one person: the signed-in person, the holder of an order's
 * secret, or a browser that gets a cookie. A new call is, unless its row says that anyone may make it.
 */
const isOfOnePerson = ({ access, actsOnCookie }: Call): boolean =>
  access !== 'anyone' || actsOnCookie;

function disconnectSignalOf({ res }: Context): AbortSignal {
  const leaving = new AbortController();
  const close = () => {
    if (!res.writableFinished) leaving.abort();
  };
  // A client can leave while its request still waits: for the first of its kind, or for its position.
  if (res.closed) close();
  else res.once('close', close);
  return leaving.signal;
}

/** Only successful answers are kept, and never an answer with a cookie or another secret. */
function toStoredAnswer(call: Call, wire: WireAnswer): StoredAnswer | 'done' | 'failed' {
  if (!wire.ok) return 'failed';
  return call.keepsAnswer && wire.cookies.length === 0 ? wire.answer : 'done';
}

type AnyRequest<A> = Omit<CallRequest<Call, A>, 'params' | 'query' | 'body' | 'actor'> & {
  params: unknown;
  query: unknown;
  body: unknown;
  actor: A | null;
};

/** The handler without its types. Its input was parsed by the schemas that its types come from. */
function handlerOf<C extends Call, A>(handlers: CallHandlers<C, A>, call: C) {
  const byName = handlers as Readonly<
    Record<string, (request: AnyRequest<A>) => AnyAnswer | Promise<AnyAnswer>>
  >;
  const handler = byName[call.name];
  if (handler === undefined) throw new Error(`nobody handles ${call.name}`);
  return handler;
}

/** Answers every path under the prefixes that no call took: 405 with the allowed methods, 400 or 404. */
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
