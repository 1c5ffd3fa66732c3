import { useRef } from 'react';
import { newIdempotencyKey } from './client.js';
import { isRefused } from './failures.js';

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
