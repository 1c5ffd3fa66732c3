import { useRef } from 'react';
import { typedText } from '../stores/typed-text.js';
import { newIdempotencyKey } from './client.js';
import { isKeyUsed, isRefused } from './failures.js';

/**
 * The Idempotency-Key of a form. The market may have done what it did not answer: the same content then goes with the
 * same key, so that it is answered again, and not done twice or refused because it is done.
 */
export function useLastingKey() {
  const sent = useRef<{ readonly content: string; readonly key: string }>(undefined);

  /** Whether this content was sent before, and it is not known what became of it. */
  const isOpen = (content: unknown): boolean => sent.current?.content === JSON.stringify(content);

  /** Does `work` with the key of the content. @throws what `work` throws */
  async function withKey<T>(content: unknown, work: (key: string) => Promise<T>): Promise<T> {
    const before = isOpen(content) ? sent.current : undefined;
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
  return { isOpen, withKey };
}

/**
 * The Idempotency-Key of what is written in a form and changed before it is sent again: one key until the market has
 * answered, also after a reload. If it had done what it did not answer, it says of the changed text that the key is used
 * (`isKeyUsed`); the next time goes with another key.
 * @param name the key in sessionStorage
 */
export function keyUntilAnswered(name: string) {
  const kept = typedText(name, ['key']);
  /** What is written while another is on its way is another one. */
  const underWay = new Set<string>();
  /** Does `work` with the key. @throws what `work` throws */
  return async <T>(work: (key: string) => Promise<T>): Promise<T> => {
    const before = kept.before().key;
    const key = before === undefined || underWay.has(before) ? newIdempotencyKey() : before;
    const isDone = () => {
      if (kept.before().key === key) kept.keep({});
    };
    kept.keep({ key });
    underWay.add(key);
    try {
      const answer = await work(key);
      isDone();
      return answer;
    } catch (error) {
      if (isRefused(error) || isKeyUsed(error)) isDone();
      throw error;
    } finally {
      underWay.delete(key);
    }
  };
}
