import type { LogLevel } from '../logging/port.js';
import type { TracingOptions } from '../tracing/index.js';
import { addressSet, isLocal } from './addresses.js';
import {
  OTLP_PROTOCOLS,
  type Problem,
  type Result,
  readVariables,
  tracesEndpoint,
  type Variables,
} from './environment.js';
import { demoSecrets, existingDemoSecrets, type Secrets } from './secrets.js';

const ENGINES = [
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'REDIS_URL',
  'PAYSTACK_URL',
  'PAYSTACK_SECRET',
  'CLOUDINARY_URL',
  'SMTP_URL',
] as const;

/** Variables that the operator must set, without any default, once real money can be taken. */
const REQUIRED = ['PAYSTACK_SECRET', 'PUBLIC_URL', 'TOKEN_SECRET', 'KEYS_MASTER_KEY'] as const;

const publicUrlOf = (given: Variables): string =>
  given.PUBLIC_URL ?? `http://localhost:${given.PORT}`;

const isLoopback = addressSet(['127.0.0.0/8', '::1']);

/** Whether the server listens on loopback only, as a demo does without HOST. */
const isLocalOnly = ({ HOST }: Variables): boolean =>
  HOST === undefined || HOST === 'localhost' || isLoopback(HOST);

/**
 * The one definition of a demo: test payments, sample goods and published passwords exist. OJA_DEMO decides.
 * When it is not set, a demo is one process that runs everything on the embedded engines for this machine
 * only. A start that others can reach (`HOST=0.0.0.0`) is no demo by itself, because anybody can read the
 * passwords in the README.
 */
function isDemo(given: Variables, everything: boolean): boolean {
  if (given.OJA_DEMO !== undefined) return given.OJA_DEMO;
  return (
    everything &&
    ENGINES.every((name) => given[name] === undefined) &&
    isLocal(publicUrlOf(given)) &&
    isLocalOnly(given)
  );
}

/** Refuses a public address without TLS: anybody on the network path could read cookies, passwords and cards. */
function exposureProblems(given: Variables): readonly Problem[] {
  return given.PUBLIC_URL?.startsWith('http:')
    ? ['PUBLIC_URL must begin with https:// outside a demo (put TLS in front of the market)']
    : [];
}

/** Whether the market looks real and takes no money: anybody pays with the test card that Paystack has published. */
export const takesTestPayments = ({ demo, paystack }: Pick<Config, 'demo' | 'paystack'>): boolean =>
  !demo && paystack.secret.startsWith('sk_test_');

/** The reasons to refuse this start; empty when it may go on. */
function configProblems(given: Variables, demo: boolean): readonly Problem[] {
  if (!demo) {
    const missing = REQUIRED.filter((name) => given[name] === undefined).map(
      (name) => `${name} must be set: this is not a demo (OJA_DEMO=1 would make it one)`,
    );
    return [...missing, ...exposureProblems(given)];
  }
  return given.PAYSTACK_SECRET?.startsWith('sk_live_')
    ? ['PAYSTACK_SECRET takes real money and a demo must not: unset it, or OJA_DEMO']
    : [];
}

/** Paystack's own API; PAYSTACK_URL names a test server instead. */
const PAYSTACK_API = 'https://api.paystack.co';

/** Listen addresses that only this machine can reach. */
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];
const EVERYWHERE: readonly string[] = [];
/** Hosts that mean every address of a machine, so that no request can be sent to them. */
const UNSPECIFIED = new Set(['0.0.0.0', '::']);

const DEMO_SUPPORT = {
  email: 'support@oja.example',
  phone: '0800 000 0000',
  address: '1 Market Road, Nsukka, Enugu',
};
const NO_SUPPORT = { email: '', phone: '', address: '' };

/** A process's settings, fixed for its lifetime. A null engine URL selects the embedded engine. */
export interface Config {
  readonly demo: boolean;
  readonly port: number;
  /** Addresses to listen on; empty for all addresses of the machine. */
  readonly hosts: readonly string[];
  readonly dataDir: string;
  /** Origin under which browsers reach the market, without a trailing slash. */
  readonly publicUrl: string;
  readonly eventStoreUrl: string | null;
  readonly mongodbUrl: string | null;
  readonly redisUrl: string | null;
  /** `url` null: the payment sandbox that Oja ships. */
  readonly paystack: { readonly url: string | null; readonly secret: string };
  /** Null: the image host that Oja ships. */
  readonly cloudinary: { readonly url: string; readonly preset: string } | null;
  readonly smtpUrl: string | null;
  readonly tokenSecret: string;
  /** A second secret: tokens made with it are accepted, but no token is made with it. Null: none. */
  readonly tokenSecretFallback: string | null;
  /** 32 bytes. */
  readonly keysMasterKey: Buffer;
  /** 32 bytes. A second master key: it unwraps keys, but no key is wrapped with it. Null: none. */
  readonly keysMasterKeyFallback: Buffer | null;
  /** Whether the provider pays payouts; otherwise an operator marks them as paid. */
  readonly payouts: boolean;
  /** Empty strings where the operator has set nothing. */
  readonly support: { readonly email: string; readonly phone: string; readonly address: string };
  /** Where sellers bring sold goods; empty: goods are collected from the sellers. */
  readonly dropOffAddress: string;
  /** Null: no web push. */
  readonly push: { readonly publicKey: string; readonly privateKey: string } | null;
  /** Addresses and CIDR blocks whose X-Forwarded-For header is trusted. */
  readonly trustedProxy: readonly string[];
  /** Where and how traces are sent; OpenTelemetry's client reads its other variables by itself. Null: no traces. */
  readonly tracing: {
    readonly endpoint: string;
    readonly protocol: TracingOptions['protocol'];
  } | null;
  readonly logLevel: LogLevel;
}

/** An accepted start whose secrets are not loaded yet. */
export interface Plan {
  readonly variables: Variables;
  readonly demo: boolean;
  readonly dataDir: string;
}

/**
 * Decides from the environment alone whether this start may go on. It writes nothing, so a refusal leaves
 * nothing behind. `everything`: one process runs the whole market.
 */
export function planStart(
  env: NodeJS.ProcessEnv,
  options: { readonly everything: boolean },
): Result<Plan> {
  const read = readVariables(env);
  if (!read.ok) return read;
  const variables = read.value;
  const demo = isDemo(variables, options.everything);
  const problems = configProblems(variables, demo);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: { variables, demo, dataDir: variables.DATA_DIR } };
}

/** The secrets that a demo made for itself; none outside a demo, where the variables must hold them. */
function secretsOf(
  { demo, variables }: Plan,
  dataDir: string,
  createsNothing: boolean,
): Result<Partial<Secrets>> {
  const given = variables.TOKEN_SECRET !== undefined && variables.KEYS_MASTER_KEY !== undefined;
  return demo ? demoSecrets(dataDir, { given, createsNothing }) : { ok: true, value: {} };
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

/** The addresses to listen on; empty for all addresses of the machine. */
export function hostsOf({ variables, demo }: Pick<Plan, 'variables' | 'demo'>): readonly string[] {
  if (variables.HOST !== undefined) return [variables.HOST];
  return demo ? LOOPBACK : EVERYWHERE;
}

/**
 * Completes a plan with the secrets of its opened data folder (absolute path); fails when a demo's cannot be read.
 * `createsNothing`: the folder need not exist, and secrets that it has not are made up.
 */
export function completeConfig(
  plan: Plan,
  dataDir: string,
  { createsNothing = false }: { readonly createsNothing?: boolean } = {},
): Result<Config> {
  const { variables: given, demo } = plan;
  const secrets = secretsOf(plan, dataDir, createsNothing);
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
      hosts: hostsOf(plan),
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

/** The secrets that open sealed data and keep people logged in; null where none exists yet. Creates nothing. */
export function existingSecrets({ variables, demo, dataDir }: Plan): {
  readonly tokenSecret: string | null;
  readonly keysMasterKey: Buffer | null;
} {
  const kept = demo ? existingDemoSecrets(dataDir) : {};
  return {
    tokenSecret: variables.TOKEN_SECRET ?? kept.tokenSecret ?? null,
    keysMasterKey: variables.KEYS_MASTER_KEY ?? kept.keysMasterKey ?? null,
  };
}

/** The problems as one sentence for the terminal. */
export const joinProblems = (problems: readonly Problem[]): string =>
  `Oja cannot start: ${problems.join('; ')}.`;

/** The one host that a process listens on; null: every address of its machine. */
export const ownHost = ({ hosts }: Pick<Config, 'hosts'>): string | null =>
  hosts.find((one) => !UNSPECIFIED.has(one)) ?? null;

/** Where a process reaches itself, without a trailing slash. */
export function ownOrigin(config: Pick<Config, 'hosts' | 'port'>): string {
  const host = ownHost(config) ?? '127.0.0.1';
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
}
