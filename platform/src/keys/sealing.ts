import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Keys } from './port.js';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
export const keyBytes = 32;

/**
 * Encrypts with AES-256-GCM: nonce, ciphertext and tag in one buffer. `bound` is additional data: it is
 * not stored, but needed to decrypt.
 */
export function lock(key: Buffer, bound: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts; null when the key, `bound` or the bytes differ from those of `lock`. */
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

/** The place of a sealed value. It opens only there: copied to another place, it is worthless. */
export interface SealedPlace {
  readonly stream: string;
  readonly field: string;
}

const placeText = ({ stream, field }: SealedPlace) => JSON.stringify([stream, field]);

/** Encrypts a value with AES-256-GCM, bound to its stream and field. Base64. `key`: 32 bytes. */
export function seal(key: Buffer, place: SealedPlace, plaintext: string): string {
  return lock(key, placeText(place), Buffer.from(plaintext)).toString('base64');
}

/** The value, or null when it was not sealed with this key for this place. */
export function open(key: Buffer, place: SealedPlace, sealed: string): string | null {
  return unlock(key, placeText(place), Buffer.from(sealed, 'base64'))?.toString() ?? null;
}

/** A personal value as stored in events and copied by projections: unreadable without the subject's key. */
export interface SealedValue {
  readonly sealed: string;
  readonly subject: string;
}

export interface ToOpen extends SealedPlace {
  readonly value: SealedValue;
}

/** Seals and opens personal values with the keys of their subjects. */
export interface Sealer {
  /** Seals each field under the subject's key. @throws KeyDestroyed for a subject that was erased. */
  seal<F extends string>(
    subject: string,
    stream: string,
    fields: Readonly<Record<F, string>>,
  ): Promise<Record<F, SealedValue>>;
  /** Null when the key is gone; pages then show 'removed'. */
  open(stream: string, field: string, value: SealedValue): Promise<string | null>;
  /** The values in the order given; each subject's key is fetched once. */
  openMany(values: readonly ToOpen[]): Promise<readonly (string | null)[]>;
}

export function createSealer(keys: Keys): Sealer {
  return {
    async seal<F extends string>(
      subject: string,
      stream: string,
      fields: Readonly<Record<F, string>>,
    ) {
      const key = await keys.obtain(subject);
      const sealed: Partial<Record<F, SealedValue>> = {};
      for (const field in fields) {
        sealed[field] = { sealed: seal(key, { stream, field }, fields[field]), subject };
      }
      return sealed as Record<F, SealedValue>;
    },

    async open(stream, field, value) {
      const key = await keys.find(value.subject);
      return key ? open(key, { stream, field }, value.sealed) : null;
    },

    async openMany(values) {
      const subjects = [...new Set(values.map(({ value }) => value.subject))];
      const found = await keys.findMany(subjects);
      const keyOf = new Map(subjects.map((subject, index) => [subject, found[index] ?? null]));
      return values.map(({ stream, field, value }) => {
        const key = keyOf.get(value.subject);
        return key ? open(key, { stream, field }, value.sealed) : null;
      });
    },
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two secrets in constant time. Digests are compared, since that needs equal lengths. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
