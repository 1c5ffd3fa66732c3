import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
export const keyBytes = 32;

/** AES-256-GCM: nonce, ciphertext and tag in one piece. `bound` is not stored, yet must be known to open it. */
export function lock(key: Buffer, bound: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Null when key, place or bytes are not the ones it was locked with. */
export function unlock(key: Buffer, bound: string, locked: Buffer): Buffer | null {
  if (locked.length < nonceBytes + tagBytes) return null;
  const nonce = locked.subarray(0, nonceBytes);
  const tag = locked.subarray(locked.length - tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(tag);
  try {
    const body = locked.subarray(nonceBytes, locked.length - tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    return null;
  }
}
