import { useRef } from 'react';
import { createFormStorage } from '../stores/form-storage.js';
import { newIdempotencyKey } from './client.js';
import { isKeyReused, isRefused } from './failures.js';

/**
 * The Idempotency-Key of a form. The market may have done what it did not answer: the same content then goes with the
 * same key, so that it is answered again, and not done twice or refused because it is done.
 */
export function useIdempotencyKey() {
  const sent = useRef<{ readonly content: string; readonly key: string }>(undefined);

  /** Whether this content was sent before, and it is not known what became of it. */
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
 * The Idempotency-Key of what is written in a form and changed before it is sent again: one key until the market has
 * answered, also after a reload. If it had done what it did not answer, it says of the changed text that the key is used
 * (`isKeyReused`); the next time goes with another key.
 * @param name the key in sessionStorage
 */
export function createStoredKey(name: string) {
  const kept = createFormStorage(name, ['key']);
  /** What is written while another is on its way is another one. */
  const inFlight = new Set<string>();
  /** Does `work` with the key. @throws what `work` throws */
  return async <T>(work: (key: string) => Promise<T>): Promise<T> => {
    const before = kept.load().key;
    const key = before === undefined || inFlight.has(before) ? newIdempotencyKey() : before;
    const forgetKey = () => {
      if (kept.load().key === key) kept.save({});
    };
    kept.save({ key });
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
