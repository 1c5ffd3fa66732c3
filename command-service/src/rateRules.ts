import { MINUTE_MS } from '@oja/domain/rules';
import type { RateRule } from '@oja/platform';
import type { CommandCall, Settings } from './deps.js';

const REVIEW_EVERY_MS = 30_000;

/**
 * How often an address may make a call. A demo is tried by one person who is in a hurry. Orders and
 * their verification cost a call of the provider each: the limits are wide, since a whole town may
 * share the address of its mobile network, and still keep one machine from using up the provider's.
 */
export function rateRulesOf({ demo }: Settings): Partial<Record<CommandCall['name'], RateRule>> {
  if (demo) return {};
  return {
    addComment: { name: 'review', limit: 1, windowMs: REVIEW_EVERY_MS },
    initializeTransaction: { name: 'order', limit: 30, windowMs: MINUTE_MS },
    verifyTransaction: { name: 'verify', limit: 120, windowMs: MINUTE_MS },
  };
}
