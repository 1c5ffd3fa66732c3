import type { RateRule } from '@oja/platform';
import type { CommandCall, Settings } from './deps.js';

const REVIEW_EVERY_MS = 30_000;

/** How often an address may make a call. A demo is tried by one person who is in a hurry. */
export function rateRulesOf({ demo }: Settings): Partial<Record<CommandCall['name'], RateRule>> {
  if (demo) return {};
  return { addComment: { name: 'review', limit: 1, windowMs: REVIEW_EVERY_MS } };
}
