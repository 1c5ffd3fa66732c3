import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const kept = z.object({
  status: z.number(),
  /** The body as it was sent. */
  json: z.string(),
  headers: z.record(z.string(), z.string()),
});
/** What is given again to a repetition. */
export type KeptAnswer = Readonly<z.infer<typeof kept>>;

const keyOf = (secret: string, key: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, secret, 'idempotent answer', 32));

/** AES-256-GCM under a key made of our secret and the client's Idempotency-Key. */
export function sealAnswer(answer: KeptAnswer, secret: string, key: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, key), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The answer; null when there is none, or our secret has changed since. */
export function openAnswer(sealed: string | null, secret: string, key: string): KeptAnswer | null {
  if (sealed === null) return null;
  const bytes = Buffer.from(sealed, 'base64');
  const body = NONCE_BYTES + TAG_BYTES;
  try {
    const cipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(secret, key),
      bytes.subarray(0, NONCE_BYTES),
    );
    cipher.setAuthTag(bytes.subarray(NONCE_BYTES, body));
    const text = Buffer.concat([cipher.update(bytes.subarray(body)), cipher.final()]);
    return kept.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return null;
  }
}
