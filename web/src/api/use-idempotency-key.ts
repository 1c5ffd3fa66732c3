import { useState } from 'react';
import { createFormStorage } from '../stores/form-storage.js';
import { newIdempotencyKey } from './client.js';
import { isKeyReused, isRefused } from './failures.js';

/** What was sent last and is not answered yet. */
interface Attempt {
  /** JSON. */
  readonly content: string;
  readonly key: string;
}

interface AttemptStorage {
  load(): Attempt | undefined;
  save(attempt: Attempt | undefined): void;
}

/**
 * The Idempotency-Key of a form. When an answer is lost, the market may have done the work: the same content is then sent
 * with the same key, so that it is answered again instead of being done twice or refused.
 */
function createAttempts({ load, save }: AttemptStorage) {
  /** Whether this content was sent before and its answer has not come. */
  const isOutcomeUnknown = (content: unknown): boolean =>
    load()?.content === JSON.stringify(content);

  /** Does `work` with the key of the content. @throws what `work` throws */
  async function withKey<T>(content: unknown, work: (key: string) => Promise<T>): Promise<T> {
    const before = isOutcomeUnknown(content) ? load() : undefined;
    const attempt = before ?? { content: JSON.stringify(content), key: newIdempotencyKey() };
    // Something else may have been sent meanwhile.
    const forget = () => {
      if (load()?.key === attempt.key) save(undefined);
    };
    save(attempt);
    try {
      const answer = await work(attempt.key);
      forget();
      return answer;
    } catch (error) {
      if (isRefused(error) || isKeyReused(error)) forget();
      throw error;
    }
  }
  return { isOutcomeUnknown, withKey };
}

/** The keys of a form for as long as it stands. */
export function useIdempotencyKey() {
  const [attempts] = useState(() => {
    let last: Attempt | undefined;
    return createAttempts({
      load: () => last,
      save(attempt) {
        last = attempt;
      },
    });
  });
  return attempts;
}

/** The keys of a form whose last attempt outlives a reload. @param name the key in sessionStorage */
export function createStoredAttempts(name: string) {
  const storage = createFormStorage(name, ['sent', 'key']);
  return createAttempts({
    load() {
      const { sent: content, key } = storage.load();
      return content === undefined || key === undefined ? undefined : { content, key };
    },
    save: (attempt) => storage.save({ sent: attempt?.content, key: attempt?.key }),
  });
}

/**
 * An Idempotency-Key for a text that people may change before they send it again. The key stays the same until the market
 * has answered, also after a reload. If the market had done the first attempt, it refuses the changed text because the
 * key is used (`isKeyReused`), and the next attempt gets a new key.
 * @param name the key in sessionStorage
 */
export function createStoredKey(name: string) {
  const storage = createFormStorage(name, ['key']);
  /** Keys of requests under way: a text that is sent meanwhile is another one and gets its own key. */
  const inFlight = new Set<string>();
  /** Does `work` with the key. @throws what `work` throws */
  return async <T>(work: (key: string) => Promise<T>): Promise<T> => {
    const before = storage.load().key;
    const key = before === undefined || inFlight.has(before) ? newIdempotencyKey() : before;
    const forgetKey = () => {
      if (storage.load().key === key) storage.save({});
    };
    storage.save({ key });
    inFlight.add(key);
    try {
      const answer = await work(key);
      forgetKey();
      return answer;
    } catch (error) {
      if (isRefused(error) || isKeyReused(error)) forgetKey();
      throw error;
    } finally {
      inFlight.delete(key);
    }
  };
}
