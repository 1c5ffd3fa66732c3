import type { Keys } from './port.js';
import { open, type SealedPlace, seal } from './sealing.js';

/** A personal value as events carry it and projections copy it: unreadable without the subject's key. */
export interface SealedValue {
  readonly sealed: string;
  readonly subject: string;
}

export interface ToOpen extends SealedPlace {
  readonly value: SealedValue;
}

/** Seals and opens personal values with the keys of the people they belong to. */
export interface Sealer {
  /** Each field under the subject's key. @throws KeyDestroyed for a subject that was erased. */
  seal<F extends string>(
    subject: string,
    stream: string,
    fields: Readonly<Record<F, string>>,
  ): Promise<Record<F, SealedValue>>;
  /** Null when the key is gone: shown as 'removed'. */
  open(stream: string, field: string, value: SealedValue): Promise<string | null>;
  /** In the order asked; each subject's key is fetched once. */
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
