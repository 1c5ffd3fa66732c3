import { useRef } from 'react';
import { createFormStorage } from '../stores/form-storage.js';
import { newIdempotencyKey } from './client.js';
import { isKeyReused, isRefused } from './failures.js';

/**
 * The Idempotency-Key of a form. When an answer is lost, the market may have done the work: the same content is then sent
 * with the same key, so that it is answered again instead of being done twice or refused.
 */
export function useIdempotencyKey() {
  const sent = useRef<{ readonly content: string; readonly key: string }>(undefined);

  /** Whether this content was sent before and its answer was lost. */
  const isOutcomeUnknown = (content: unknown): boolean =>
    sent.current?.content === JSON.stringify(content);

  /** Does `work` with the key of the content. @throws what `work` throws */
  async function withKey<T>(content: unknown, work: (key: string) => Promise<T>): Promise<T> {
    const before = isOutcomeUnknown(content) ? sent.current : undefined;
    const attempt = before ?? { content: JSON.stringify(content), key: newIdempotencyKey() };
    try {
      const answer = await work(attempt.key);
      sent.current = undefined;
      return answer;
    } catch (error) {
      sent.current = isRefused(error) ? undefined : attempt;
      throw error;
    }
  }
  return { isOutcomeUnknown, withKey };
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
