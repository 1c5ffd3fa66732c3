import { createECDH, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeOnce } from '../data-dir/lock.js';
import { MASTER_KEY_BYTES, masterKey, type Result, tokenSecret } from './environment.js';

export const SECRETS_FILE = 'secrets.json';

const schema = z.object({
  tokenSecret,
  keysMasterKey: masterKey,
  paystackSecret: z.string().min(1),
  vapidPublic: z.string().min(1),
  vapidPrivate: z.string().min(1),
});
export type Secrets = z.output<typeof schema>;

function freshSecrets(): z.input<typeof schema> {
  const push = createECDH('prime256v1');
  push.generateKeys();
  return {
    tokenSecret: randomBytes(32).toString('hex'),
    keysMasterKey: randomBytes(MASTER_KEY_BYTES).toString('hex'),
    paystackSecret: `sk_test_${randomBytes(20).toString('hex')}`,
    vapidPublic: push.getPublicKey().toString('base64url'),
    // A private key with leading zeros comes back shorter than the 32 bytes that push wants.
    vapidPrivate: Buffer.from(push.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
      'base64url',
    ),
  };
}

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
  if (read(path) === null) writeOnce(path, `${JSON.stringify(freshSecrets(), null, 2)}\n`, 0o600);
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
