import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { problemOfUrl } from '../eventstore/eventstoredb/url.js';
import { logLevels } from '../logging/port.js';

const DEFAULT_PORT = 8080;

/** Length of KEYS_MASTER_KEY in bytes: an AES-256 key. */
export const MASTER_KEY_BYTES = 32;

const withoutEndSlash = (address: string): string => address.replace(/\/+$/, '');

const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
  .transform(withoutEndSlash);

/** Whether a URL names a site and nothing in it: no path, query, fragment or user. */
function isOnlySite(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return pathname === '/' && search === '' && hash === '' && !hasUser(address);
}

/** Returned as browsers write it in `Origin`: in lower case, without a port that the scheme implies. */
const origin = httpAddress
  .refine(isOnlySite, {
    error: 'must be an address without a path or a user, like https://market.example',
  })
  .transform((address) => new URL(address).origin);

/** Whether an address has a user or password in it. `status` shows addresses, and browsers get some. */
function hasUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

const withoutUser = httpAddress.refine((address) => !hasUser(address), {
  error: 'must be an address without a user or a password',
});

/** Whether browsers can post pictures there, and the market knows from it where they are shown. */
function isUploadAddress(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return /^\/v1_1\/[^/]+\/(.+\/)?upload$/.test(pathname) && search === '' && hash === '';
}

/** Every visitor is given it. Cloudinary's own variable of this name has a key and a secret, which an upload does not need. */
const uploadAddress = z.string().refine(
  (text) => {
    const address = httpAddress.safeParse(text);
    return address.success && isUploadAddress(address.data) && !hasUser(address.data);
  },
  {
    error:
      'must be the address of unsigned uploads, without a key or a secret: https://api.cloudinary.com/v1_1/<cloud>/image/upload',
  },
);

/**
 * Addresses of one or more servers. An `@` or `/` that stands as it is in the password ends it: its driver would take the
 * rest for a host, ask the name server for it, and show it in its message.
 */
const mongodb = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
  .refine((text) => !/^[^/]*\/\/([^/?]*@[^/?]*@|[^?]*\/[^?]*@)/.test(text), {
    error: 'must have an @ or / of its password percent-encoded (%40, %2F)',
  });

/** Decodes percent escapes. Text with a `%` that is no escape, as in a password, is returned unchanged. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The address of one server. Everything before its last `@` is taken as name and password, whatever
 * characters they hold, and is returned percent-encoded: at some of these, a client with a strict URL parser
 * would end the process and show the password in its message.
 */
const serverAddress = (...schemes: readonly string[]) =>
  z.string().transform((text, context) => {
    const [scheme = '', rest = ''] = text.split(/:\/\/(.*)/s);
    const at = rest.lastIndexOf('@');
    const [name = '', password] = rest.slice(0, Math.max(at, 0)).split(/:(.*)/s);
    const who = [name, ...(password === undefined ? [] : [password])]
      .map((part) => encodeURIComponent(unescaped(part)))
      .join(':');
    const place = rest.slice(at + 1);
    const address = `${scheme}://${at < 0 ? '' : `${who}@`}${place}`;
    // Parsed as http too: the URL parser hardly checks the host of other schemes.
    if (schemes.includes(scheme) && URL.canParse(`http://${place}`) && URL.canParse(address))
      return address;
    const message = `must be like ${schemes.map((one) => `${one}://name:password@host`).join(' or ')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Checked completely before its client gets it, because that client prints what it cannot parse. */
const eventStore = z.string().superRefine((text, context) => {
  const problem = problemOfUrl(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65_535, { error: 'must be a number from 0 to 65535' });

/** In hexadecimal, base64 or base64url. */
export const masterKey = z
  .string()
  .transform((text) =>
    /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64'),
  )
  .refine((key) => key.length === MASTER_KEY_BYTES, {
    error: 'must be 32 random bytes, as 64 hexadecimal digits or in base64 (openssl rand -hex 32)',
  });

/** Public keys of age, separated by commas; the private key of any of them opens a backup. */
const ageRecipients = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => /^age1[02-9ac-hj-np-z]{58}$/.test(part)), {
    error: 'must begin with age1, as age-keygen or oja backup key shows it',
  });

/** A private key in age's file format: lines that begin with # are comments. */
const ageKey = z
  .string()
  .transform((text) => text.replace(/^#.*$/gm, '').trim())
  .refine((key) => /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/.test(key), {
    error: 'must begin with AGE-SECRET-KEY-1, as age-keygen or oja backup key makes it',
  });

/** Bytes in base64url without padding, as push services and browsers want them. Returned as they were written. */
const base64url = (isRight: (bytes: Buffer) => boolean, error: string) =>
  z
    .string()
    .refine((text) => /^[\w-]+$/.test(text) && isRight(Buffer.from(text, 'base64url')), { error });

const PUSH_CURVE = 'prime256v1';
/** The first byte of a point on a curve that is written with both coordinates. */
const UNCOMPRESSED = 0x04;

const vapidPublic = base64url(
  (key) => key.length === 65 && key[0] === UNCOMPRESSED,
  'must be 65 bytes in base64url (npx web-push generate-vapid-keys)',
);
const vapidPrivate = base64url(
  (key) => key.length === 32,
  'must be 32 bytes in base64url (npx web-push generate-vapid-keys)',
);

export const tokenSecret = z
  .string()
  .min(32, 'must be at least 32 random characters (openssl rand -hex 32)');

/** A switch: on, 1 or true; off, 0 or false; in any case. */
const onOff = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['on', 'off', '1', '0', 'true', 'false'], { error: 'must be on or off' }))
  .transform((word) => word === 'on' || word === '1' || word === 'true');

function isAddressOrBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

const addressList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every(isAddressOrBlock), {
    error: 'must be addresses or blocks separated by commas, like 10.0.0.2,172.16.0.0/12',
  });

/** Paystack shows two keys side by side, and refuses the other one only when the first buyer pays. */
const paystackSecret = z.string().refine((key) => !key.startsWith('pk_'), {
  error: 'must be the secret key, which begins with sk_, and not the public one (pk_)',
});

const variables = z.object({
  PORT: port.default(DEFAULT_PORT),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: origin.optional(),
  EVENTSTORE_URL: eventStore.optional(),
  MONGODB_URL: mongodb.optional(),
  REDIS_URL: serverAddress('redis', 'rediss')
    .refine((address) => /^\/?\d*$/.test(new URL(address).pathname), {
      error: 'must name its database by a number, as in redis://host/1, or leave it out',
    })
    .optional(),
  PAYSTACK_URL: withoutUser.optional(),
  PAYSTACK_SECRET: paystackSecret.optional(),
  CLOUDINARY_URL: uploadAddress.transform(withoutEndSlash).optional(),
  CLOUDINARY_PRESET: z.string().optional(),
  SMTP_URL: serverAddress('smtp', 'smtps').optional(),
  TOKEN_SECRET: tokenSecret.optional(),
  TOKEN_SECRET_FALLBACK: tokenSecret.optional(),
  KEYS_MASTER_KEY: masterKey.optional(),
  KEYS_MASTER_KEY_FALLBACK: masterKey.optional(),
  PAYOUTS: onOff.default(false),
  SUPPORT_EMAIL: z.email({ error: 'must be an e-mail address' }).optional(),
  SUPPORT_PHONE: z.string().optional(),
  SUPPORT_ADDRESS: z.string().optional(),
  DROP_OFF_ADDRESS: z.string().trim().default(''),
  VAPID_PUBLIC: vapidPublic.optional(),
  VAPID_PRIVATE: vapidPrivate.optional(),
  TRUSTED_PROXY: addressList.default([]),
  BACKUP_RECIPIENT: ageRecipients.optional(),
  BACKUP_KEY: ageKey.optional(),
  OJA_DEMO: onOff.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().transform(withoutEndSlash).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().transform(withoutEndSlash).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_SDK_DISABLED: z.string().toLowerCase().optional(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

/** Variables that hold a secret. Each can also be read from a file, whose path `<NAME>_FILE` gives. */
const SECRET = [
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'REDIS_URL',
  'PAYSTACK_SECRET',
  'SMTP_URL',
  'TOKEN_SECRET',
  'TOKEN_SECRET_FALLBACK',
  'KEYS_MASTER_KEY',
  'KEYS_MASTER_KEY_FALLBACK',
  'VAPID_PRIVATE',
  'BACKUP_KEY',
] as const satisfies readonly (keyof Variables)[];
const fileOf = (name: string): string => `${name}_FILE`;

/** The names of all variables that Oja reads, `<NAME>_FILE` included. */
export const variableNames: readonly string[] = [
  ...Object.keys(variables.shape),
  ...SECRET.map(fileOf),
];

/** Every variable Oja reads, parsed; all others are ignored. */
export type Variables = z.output<typeof variables>;

/** One thing to correct: a variable's name and what is wrong with it. */
export type Problem = string;

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The set variables, trimmed. An empty one counts as not set: compose files and shells leave empty ones behind. */
function nonEmptyVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, text]) => {
    const trimmed = text?.trim() ?? '';
    return trimmed === '' ? [] : [[name, trimmed] as const];
  });
  return Object.fromEntries(entries);
}

/** The secrets from the files that `<NAME>_FILE` names; a variable that is set itself takes precedence. */
function readSecretFiles(given: Readonly<Record<string, string>>): Result<Record<string, string>> {
  const value: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const name of SECRET) {
    const path = given[fileOf(name)];
    if (path === undefined || given[name] !== undefined) continue;
    try {
      const text = readFileSync(path, 'utf8').trim();
      if (text === '') problems.push(`${fileOf(name)} names an empty file`);
      else value[name] = text;
    } catch {
      problems.push(`${fileOf(name)} names a file that cannot be read`);
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value };
}

/** Variables that must be set together: one of a pair alone is useless. */
const PAIRS = [
  ['CLOUDINARY_URL', 'CLOUDINARY_PRESET'],
  ['VAPID_PUBLIC', 'VAPID_PRIVATE'],
] as const;

function pairProblems(given: Variables): Problem[] {
  return PAIRS.flatMap(([one, other]) => {
    if ((given[one] === undefined) === (given[other] === undefined)) return [];
    const [there, missing] = given[one] === undefined ? [other, one] : [one, other];
    return [`${missing} must be set, because ${there} is`];
  });
}

/** Checked here: nothing else notices two keys that do not belong together, until the first push is refused. */
function vapidProblems({ VAPID_PUBLIC, VAPID_PRIVATE }: Variables): Problem[] {
  if (VAPID_PUBLIC === undefined || VAPID_PRIVATE === undefined) return [];
  const pair = createECDH(PUSH_CURVE);
  try {
    pair.setPrivateKey(VAPID_PRIVATE, 'base64url');
    if (pair.getPublicKey('base64url') === VAPID_PUBLIC) return [];
  } catch {
    // Not a number that the curve has a point for.
  }
  return ['VAPID_PUBLIC must be the public half of VAPID_PRIVATE (both from one run of web-push)'];
}

/** Protocols for sending traces to a collector; the first is the default. */
export const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/** The collector's URL from OpenTelemetry's own variables; null: no traces are sent. */
export function tracesEndpoint(given: Variables): string | null {
  const isOff = given.OTEL_SDK_DISABLED === 'true' || given.OTEL_TRACES_EXPORTER === 'none';
  const endpoint = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT;
  return isOff ? null : (endpoint ?? null);
}

/** Problems with OpenTelemetry's variables. Other programs share them, so they are checked only if Oja sends traces. */
function tracingProblems(given: Variables): Problem[] {
  const endpoint = tracesEndpoint(given);
  if (endpoint === null) return [];
  const address = httpAddress.safeParse(endpoint);
  const named = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT === undefined ? '' : 'TRACES_';
  const protocols = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] as const;
  const others = protocols.filter(
    (name) => given[name] !== undefined && !OTLP_PROTOCOLS.some((known) => known === given[name]),
  );
  return [
    ...(address.error?.issues ?? []).map(
      ({ message }) => `OTEL_EXPORTER_OTLP_${named}ENDPOINT ${message}`,
    ),
    ...others.map(
      (name) => `${name} must be ${OTLP_PROTOCOLS.join(' or ')} (a port 4318 takes both)`,
    ),
    ...((given.OTEL_TRACES_EXPORTER ?? 'otlp') === 'otlp'
      ? []
      : ['OTEL_TRACES_EXPORTER must be otlp or none']),
  ];
}

/** Reads the variables and the files they name; writes nothing. A problem never repeats a value. */
export function readVariables(env: NodeJS.ProcessEnv): Result<Variables> {
  const given = nonEmptyVariables(env);
  const files = readSecretFiles(given);
  if (!files.ok) return files;
  const parsed = variables.safeParse({ ...given, ...files.value });
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    return { ok: false, problems };
  }
  const problems = [
    ...pairProblems(parsed.data),
    ...vapidProblems(parsed.data),
    ...tracingProblems(parsed.data),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: parsed.data };
}
