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
  /** The previous secrets after a rotation; see the variables of these names. */
  tokenSecretFallback: tokenSecret.optional(),
  keysMasterKeyFallback: masterKey.optional(),
  /** When the token secret was last rotated, ISO 8601. */
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
    // A private key with leading zeros comes back shorter than the 32 bytes that web push needs.
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

/** Files that hold what only the secrets open, or that refer to it; a folder with one of them has had its secrets. */
const SEALED = ['keys.db', 'log.db'];

/**
 * A demo's secrets: created at its first start, never changed by later ones, readable by their owner only.
 * Processes that start at once on one folder all get the same secrets. Fails when the file cannot be read, and when it
 * is missing beside a market's data: new secrets would not open it, and would hide the loss. `given`: the settings
 * hold what opens the data. `createsNothing`: secrets that do not exist are made up, and not kept.
 */
export function demoSecrets(
  dataDir: string,
  {
    given = false,
    createsNothing = false,
  }: {
    readonly given?: boolean;
    readonly createsNothing?: boolean;
  } = {},
): Result<Secrets> {
  const path = join(dataDir, SECRETS_FILE);
  const isBegun = !given && SEALED.some((name) => existsSync(join(dataDir, name)));
  // Looked for after the data: another process that begins the same market writes its secrets first.
  if (!existsSync(path)) {
    if (isBegun)
      return {
        ok: false,
        problems: [
          `${SECRETS_FILE} is missing from ${dataDir}: without it nobody can log in, and no name, address or bank account can be read. Put it back, from a copy or from the keys of a backup (oja restore). If this market is no demo, give its TOKEN_SECRET and KEYS_MASTER_KEY. For a new market, set DATA_DIR to a new folder`,
        ],
      };
    const fresh = freshSecrets();
    if (createsNothing) return { ok: true, value: schema.parse(fresh) };
    writeOnce(path, textOf(fresh), OWN_FILE);
  }
  const parsed = schema.safeParse(read(path));
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    problems: [`${path} cannot be read: bring back its last copy, without which data stays sealed`],
  };
}

/** A demo's secrets in the folder, if they exist and can be read; creates none. */
export function existingDemoSecrets(dataDir: string): Partial<Secrets> {
  const kept = existsSync(join(dataDir, SECRETS_FILE)) ? demoSecrets(dataDir) : null;
  return kept?.ok ? kept.value : {};
}

/** A demo's secrets as written in its file. @throws when the file is missing or cannot be read. */
function inputOf(path: string): z.input<typeof schema> {
  const secrets: unknown = JSON.parse(readFileSync(path, 'utf8'));
  schema.parse(secrets);
  return secrets as z.input<typeof schema>;
}

/**
 * Starts a rotation of a demo's secrets, unless one is under way. The master key is replaced, and so is the token
 * secret if it was made at or before `tokensSince`; the old ones stay as fallbacks. Times are epoch milliseconds.
 * The caller must hold the folder alone. @throws when the folder has no secrets.
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

/** Removes a demo's old master key; call it once no key is wrapped with it. @throws when there are no secrets. */
export function endRotation(dataDir: string): void {
  const path = join(dataDir, SECRETS_FILE);
  const { keysMasterKeyFallback: _, ...secrets } = inputOf(path);
  replaceFile(path, textOf(secrets), OWN_FILE);
}
