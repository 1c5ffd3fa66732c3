import { calls } from '@oja/contracts';
import type { PushSubscription } from './sender.js';

const given = calls.addSubscription.body.shape.newSubscription;

/** A subscription as its browser gave it; null for a text that is none. */
export function subscriptionOf(text: string): PushSubscription | null {
  try {
    return given.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
