import { z } from 'zod';
import { logLevels } from '../logging/logger.js';
import * as value from './values.js';

export const DEFAULT_PORT = 8080;

const variables = z.object({
  PORT: value.port.default(DEFAULT_PORT),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: value.origin.optional(),
  EVENTSTORE_URL: value.eventStore.optional(),
  MONGODB_URL: value.connection('mongodb', 'mongodb+srv').optional(),
  REDIS_URL: value.serverAddress('redis', 'rediss').optional(),
  PAYSTACK_URL: value.httpAddress.optional(),
  PAYSTACK_SECRET: z.string().optional(),
  CLOUDINARY_URL: value.httpAddress.optional(),
  CLOUDINARY_PRESET: z.string().optional(),
  SMTP_URL: value.serverAddress('smtp', 'smtps').optional(),
  TOKEN_SECRET: value.tokenSecret.optional(),
  KEYS_MASTER_KEY: value.masterKey.optional(),
  PAYOUTS: value.onOff.default(false),
  SUPPORT_EMAIL: z.email({ error: 'must be an e-mail address' }).optional(),
  SUPPORT_PHONE: z.string().optional(),
  SUPPORT_ADDRESS: z.string().optional(),
  VAPID_PUBLIC: z.string().optional(),
  VAPID_PRIVATE: z.string().optional(),
  TRUSTED_PROXY: value.addressList.default([]),
  OJA_DEMO: value.onOff.optional(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

/** The names of all of them. */
export const variableNames: readonly string[] = Object.keys(variables.shape);

/** Every variable Oja reads; any other is none of its business. */
export type Variables = z.output<typeof variables>;

/** One thing to put right, as `NAME what about it`. */
export type Problem = string;

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** An empty variable is one that is not set: compose files and shells leave such ones behind. */
function setOnes(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, text]) => {
    const trimmed = text?.trim() ?? '';
    return trimmed === '' ? [] : [[name, trimmed] as const];
  });
  return Object.fromEntries(entries);
}

/** Both or neither: one of them alone says nothing. */
const PAIRS = [
  ['CLOUDINARY_URL', 'CLOUDINARY_PRESET'],
  ['VAPID_PUBLIC', 'VAPID_PRIVATE'],
] as const;

function halves(given: Variables): Problem[] {
  return PAIRS.flatMap(([one, other]) => {
    if ((given[one] === undefined) === (given[other] === undefined)) return [];
    const [there, missing] = given[one] === undefined ? [other, one] : [one, other];
    return [`${missing} must be set, because ${there} is`];
  });
}

/** Reads the variables without touching anything else. Values are never repeated in a problem. */
export function readVariables(env: NodeJS.ProcessEnv): Result<Variables> {
  const parsed = variables.safeParse(setOnes(env));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    return { ok: false, problems };
  }
  const problems = halves(parsed.data);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: parsed.data };
}
