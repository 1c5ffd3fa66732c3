import type { LogLevel } from '../logging/port.js';
import type { TracingOptions } from '../tracing/index.js';
import { addressSet } from './addresses.js';
import {
  OTLP_PROTOCOLS,
  type Problem,
  type Result,
  readVariables,
  tracesEndpoint,
  type Variables,
} from './environment.js';
import { demoSecrets, keptSecrets, type Secrets } from './secrets.js';

const ENGINES = [
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'REDIS_URL',
  'PAYSTACK_URL',
  'PAYSTACK_SECRET',
  'CLOUDINARY_URL',
  'SMTP_URL',
] as const;

/** What may never come from anywhere but the operator once real money can be taken. */
const REQUIRED = ['PAYSTACK_SECRET', 'PUBLIC_URL', 'TOKEN_SECRET', 'KEYS_MASTER_KEY'] as const;

const publicUrlOf = (given: Variables): string =>
  given.PUBLIC_URL ?? `http://localhost:${given.PORT}`;

/** Whether the address can be reached from this machine only. */
export function isLocal(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
}

const isLoopback = addressSet(['127.0.0.0/8', '::1']);

/** Whether it listens where this machine alone can reach it, as it does while nobody says otherwise. */
const staysHere = ({ HOST }: Variables): boolean =>
  HOST === undefined || HOST === 'localhost' || isLoopback(HOST);

/**
 * The one meaning of 'demo': test payments, sample goods and published passwords exist. Only when one
 * process runs everything on engines of its own for this machine alone, or when the operator says so:
 * an address for others to reach it (`HOST=0.0.0.0`) opens no demo by itself, since anybody can read
 * its passwords in the README.
 */
function isDemo(given: Variables, everything: boolean): boolean {
  if (given.OJA_DEMO !== undefined) return given.OJA_DEMO;
  return (
    everything &&
    ENGINES.every((name) => given[name] === undefined) &&
    isLocal(publicUrlOf(given)) &&
    staysHere(given)
  );
}

/** Cookies, passwords and cards cross the network: without TLS whoever is in between reads them. */
function openly(given: Variables): readonly Problem[] {
  return given.PUBLIC_URL?.startsWith('http:')
    ? ['PUBLIC_URL must begin with https:// outside a demo (put TLS in front of the market)']
    : [];
}

/** What forbids this start; none: it may go on. */
function objections(given: Variables, demo: boolean): readonly Problem[] {
  if (!demo) {
    const missing = REQUIRED.filter((name) => given[name] === undefined).map(
      (name) => `${name} must be set: this is not a demo (OJA_DEMO=1 would make it one)`,
    );
    return [...missing, ...openly(given)];
  }
  return given.PAYSTACK_SECRET?.startsWith('sk_live_')
    ? ['PAYSTACK_SECRET takes real money and a demo must not: unset it, or OJA_DEMO']
    : [];
}

/** The provider's own address; a test server has another. */
const PAYSTACK_API = 'https://api.paystack.co';

/** The addresses of this machine that cannot be reached from elsewhere. */
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];
const EVERYWHERE: readonly string[] = [];

const DEMO_SUPPORT = {
  email: 'support@oja.example',
  phone: '0800 000 0000',
  address: '1 Market Road, Nsukka, Enugu',
};
const NO_SUPPORT = { email: '', phone: '', address: '' };

/** What stays as long as the process runs; a null engine is the embedded one. */
export interface Config {
  readonly demo: boolean;
  readonly port: number;
  /** Addresses to listen on; none: all that the machine has. */
  readonly hosts: readonly string[];
  readonly dataDir: string;
  /** Origin under which browsers reach the market, without a slash at the end. */
  readonly publicUrl: string;
  readonly eventStoreUrl: string | null;
  readonly mongodbUrl: string | null;
  readonly redisUrl: string | null;
  /** `url` null: the sandbox that Oja ships. */
  readonly paystack: { readonly url: string | null; readonly secret: string };
  /** Null: the image host that Oja ships. */
  readonly cloudinary: { readonly url: string; readonly preset: string } | null;
  readonly smtpUrl: string | null;
  readonly tokenSecret: string;
  /** Tokens made under it are accepted as well; none is made. Null: there is none. */
  readonly tokenSecretFallback: string | null;
  /** 32 bytes. */
  readonly keysMasterKey: Buffer;
  /** 32 bytes; keys wrapped under it are opened as well, and none is wrapped. Null: there is none. */
  readonly keysMasterKeyFallback: Buffer | null;
  /** Whether payouts are paid by the provider; otherwise an operator marks them. */
  readonly payouts: boolean;
  /** Empty where the operator has not said. */
  readonly support: { readonly email: string; readonly phone: string; readonly address: string };
  /** Where sellers bring what was sold; empty: it is collected from them. */
  readonly dropOffAddress: string;
  /** Null: no web push. */
  readonly push: { readonly publicKey: string; readonly privateKey: string } | null;
  /** Addresses and blocks from which X-Forwarded-For is believed. */
  readonly trustedProxy: readonly string[];
  /** Where traces go, and how; what else OpenTelemetry's variables say its client reads by itself. Null: no traces. */
  readonly tracing: {
    readonly endpoint: string;
    readonly protocol: TracingOptions['protocol'];
  } | null;
  readonly logLevel: LogLevel;
}

/** A start that may go on, but whose secrets are not yet at hand. */
export interface Plan {
  readonly variables: Variables;
  readonly demo: boolean;
  readonly dataDir: string;
}

/**
 * Decides from the variables alone whether this start may go on; writes nothing, so that a refusal
 * leaves nothing behind. `everything`: one process runs the whole market.
 */
export function planStart(
  env: NodeJS.ProcessEnv,
  options: { readonly everything: boolean },
): Result<Plan> {
  const read = readVariables(env);
  if (!read.ok) return read;
  const variables = read.value;
  const demo = isDemo(variables, options.everything);
  const problems = objections(variables, demo);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: { variables, demo, dataDir: variables.DATA_DIR } };
}

/** What the variables say, else what a demo made for itself. */
function secretsOf(plan: Plan, dataDir: string): Result<Partial<Secrets>> {
  return plan.demo ? demoSecrets(dataDir) : { ok: true, value: {} };
}

function pushOf(given: Variables, made: Partial<Secrets>): Config['push'] {
  const publicKey = given.VAPID_PUBLIC ?? made.vapidPublic;
  const privateKey = given.VAPID_PRIVATE ?? made.vapidPrivate;
  return publicKey === undefined || privateKey === undefined ? null : { publicKey, privateKey };
}

function tracingOf(given: Variables): Config['tracing'] {
  const endpoint = tracesEndpoint(given);
  const { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: own, OTEL_EXPORTER_OTLP_PROTOCOL: all } = given;
  const protocol = OTLP_PROTOCOLS.find((known) => known === (own ?? all)) ?? OTLP_PROTOCOLS[0];
  return endpoint === null ? null : { endpoint, protocol };
}

function hostsOf(given: Variables, demo: boolean): readonly string[] {
  if (given.HOST !== undefined) return [given.HOST];
  return demo ? LOOPBACK : EVERYWHERE;
}

/** Completes a plan with the secrets of its opened data folder (absolute path). */
export function completeConfig(plan: Plan, dataDir: string): Result<Config> {
  const { variables: given, demo } = plan;
  const secrets = secretsOf(plan, dataDir);
  if (!secrets.ok) return secrets;
  const made = secrets.value;
  const tokenSecret = given.TOKEN_SECRET ?? made.tokenSecret;
  const keysMasterKey = given.KEYS_MASTER_KEY ?? made.keysMasterKey;
  const paystackSecret = given.PAYSTACK_SECRET ?? made.paystackSecret;
  if (tokenSecret === undefined || keysMasterKey === undefined || paystackSecret === undefined) {
    throw new Error('a plan without secrets was let through');
  }
  const support = demo ? DEMO_SUPPORT : NO_SUPPORT;
  const sandbox = demo && given.PAYSTACK_URL === undefined && given.PAYSTACK_SECRET === undefined;
  return {
    ok: true,
    value: {
      demo,
      port: given.PORT,
      hosts: hostsOf(given, demo),
      dataDir,
      publicUrl: publicUrlOf(given),
      eventStoreUrl: given.EVENTSTORE_URL ?? null,
      mongodbUrl: given.MONGODB_URL ?? null,
      redisUrl: given.REDIS_URL ?? null,
      paystack: {
        url: sandbox ? null : (given.PAYSTACK_URL ?? PAYSTACK_API),
        secret: paystackSecret,
      },
      cloudinary:
        given.CLOUDINARY_URL === undefined || given.CLOUDINARY_PRESET === undefined
          ? null
          : { url: given.CLOUDINARY_URL, preset: given.CLOUDINARY_PRESET },
      smtpUrl: given.SMTP_URL ?? null,
      tokenSecret,
      tokenSecretFallback: given.TOKEN_SECRET_FALLBACK ?? made.tokenSecretFallback ?? null,
      keysMasterKey,
      keysMasterKeyFallback: given.KEYS_MASTER_KEY_FALLBACK ?? made.keysMasterKeyFallback ?? null,
      payouts: given.PAYOUTS,
      support: {
        email: given.SUPPORT_EMAIL ?? support.email,
        phone: given.SUPPORT_PHONE ?? support.phone,
        address: given.SUPPORT_ADDRESS ?? support.address,
      },
      dropOffAddress: given.DROP_OFF_ADDRESS,
      push: pushOf(given, made),
      trustedProxy: given.TRUSTED_PROXY,
      tracing: tracingOf(given),
      logLevel: given.LOG_LEVEL,
    },
  };
}

/** What opens sealed data and keeps people logged in, as far as it is known before anything is made. */
export function secretsThere({ variables, demo, dataDir }: Plan): {
  readonly tokenSecret: string | null;
  readonly keysMasterKey: Buffer | null;
} {
  const kept = demo ? keptSecrets(dataDir) : {};
  return {
    tokenSecret: variables.TOKEN_SECRET ?? kept.tokenSecret ?? null,
    keysMasterKey: variables.KEYS_MASTER_KEY ?? kept.keysMasterKey ?? null,
  };
}

/** One sentence for the terminal. */
export const sentenceOf = (problems: readonly Problem[]): string =>
  `Oja cannot start: ${problems.join('; ')}.`;
