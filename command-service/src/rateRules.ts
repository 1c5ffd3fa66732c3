import { MINUTE_MS } from '@oja/domain/rules';
import type { RateRule } from '@oja/http';
import type { CommandCall, Settings } from './deps.js';

const REVIEW_EVERY_MS = 30_000;

/**
 * How often an address may make a call. A demo is tried by one person who is in a hurry. A whole town may
 * share the address of its mobile network, so each limit is several times what a thousand honest people
 * behind one address would do at their busiest, and still bounds what one machine can cost:
 * orders and their verification a call of the provider each; a registration a hash, a name and a stream;
 * a letter to the support a person's time; a refresh, which an open tab asks for every ten minutes, two
 * writes; a look whether a name is free, made as one types, a read.
 */
export function rateRulesOf({ demo }: Settings): Partial<Record<CommandCall['name'], RateRule>> {
  if (demo) return {};
  return {
    addComment: { name: 'review', limit: 1, windowMs: REVIEW_EVERY_MS },
    initializeTransaction: { name: 'order', limit: 30, windowMs: MINUTE_MS },
    register: { name: 'register', limit: 40, windowMs: 10 * MINUTE_MS },
    refreshToken: { name: 'refresh', limit: 600, windowMs: MINUTE_MS },
    checkBusinessName: { name: 'name-check', limit: 600, windowMs: MINUTE_MS },
    sendEmail: { name: 'contact', limit: 10, windowMs: 10 * MINUTE_MS },
    verifyTransaction: { name: 'verify', limit: 120, windowMs: MINUTE_MS },
  };
}
