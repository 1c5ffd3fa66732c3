import { createECDH, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile, writeOnce } from '../data-dir/lock.js';
import { MASTER_KEY_BYTES, masterKey, type Result, tokenSecret } from './environment.js';

export const SECRETS_FILE = 'secrets.json';

const schema = z.object({
  tokenSecret,
  keysMasterKey: masterKey,
  paystackSecret: z.string().min(1),
  vapidPublic: z.string().min(1),
  vapidPrivate: z.string().min(1),
  /** The ones before, after a rotation; see the variables of that name. */
  tokenSecretFallback: tokenSecret.optional(),
  keysMasterKeyFallback: masterKey.optional(),
  /** When the token secret was made anew, ISO 8601. */
  rotatedAt: z.iso.datetime().optional(),
});
export type Secrets = z.output<typeof schema>;

const freshTokenSecret = (): string => randomBytes(32).toString('hex');
const freshMasterKey = (): string => randomBytes(MASTER_KEY_BYTES).toString('hex');

function freshSecrets(): z.input<typeof schema> {
  const push = createECDH('prime256v1');
  push.generateKeys();
  return {
    tokenSecret: freshTokenSecret(),
    keysMasterKey: freshMasterKey(),
    paystackSecret: `sk_test_${randomBytes(20).toString('hex')}`,
    vapidPublic: push.getPublicKey().toString('base64url'),
    // A private key with leading zeros comes back shorter than the 32 bytes that push wants.
    vapidPrivate: Buffer.from(push.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
      'base64url',
    ),
  };
}

const OWN_FILE = 0o600;
const textOf = (secrets: z.input<typeof schema>): string => `${JSON.stringify(secrets, null, 2)}\n`;

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * A demo's secrets: made at its first start, the same ever after, readable by their owner only.
 * Several processes may start at once on one folder and all get the same ones.
 */
export function demoSecrets(dataDir: string): Result<Secrets> {
  const path = join(dataDir, SECRETS_FILE);
  if (read(path) === null) writeOnce(path, textOf(freshSecrets()), OWN_FILE);
  const parsed = schema.safeParse(read(path));
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    problems: [`${path} cannot be read: bring back its last copy, without which data stays sealed`],
  };
}

/** The secrets that a demo has made in the folder; none are made. */
export function keptSecrets(dataDir: string): Partial<Secrets> {
  const kept = existsSync(join(dataDir, SECRETS_FILE)) ? demoSecrets(dataDir) : null;
  return kept?.ok ? kept.value : {};
}

/** A demo's secrets as they stand in its file. @throws where there is none, or it cannot be read. */
function inputOf(path: string): z.input<typeof schema> {
  const secrets: unknown = JSON.parse(readFileSync(path, 'utf8'));
  schema.parse(secrets);
  return secrets as z.input<typeof schema>;
}

/**
 * Makes a demo's master key and token secret anew, beside which the old ones stay as fallbacks: a new master key unless
 * a rotation of it is under way, a new token secret where it is as old as `tokensSince` (epoch milliseconds). For who
 * alone has the folder. @throws where there are no secrets in it.
 */
export function beginRotation(dataDir: string, now: number, tokensSince: number): void {
  const path = join(dataDir, SECRETS_FILE);
  const secrets = inputOf(path);
  if (secrets.keysMasterKeyFallback !== undefined) return;
  const { keysMasterKey: keysMasterKeyFallback, tokenSecret: tokenSecretFallback } = secrets;
  const isOld = Date.parse(secrets.rotatedAt ?? new Date(0).toISOString()) <= tokensSince;
  const rotatedAt = new Date(now).toISOString();
  replaceFile(
    path,
    textOf({
      ...secrets,
      keysMasterKey: freshMasterKey(),
      keysMasterKeyFallback,
      ...(isOld && { tokenSecret: freshTokenSecret(), tokenSecretFallback, rotatedAt }),
    }),
    OWN_FILE,
  );
}

/** Forgets a demo's old master key, once nothing is wrapped under it. */
export function endRotation(dataDir: string): void {
  const path = join(dataDir, SECRETS_FILE);
  const { keysMasterKeyFallback: _, ...secrets } = inputOf(path);
  replaceFile(path, textOf(secrets), OWN_FILE);
}
