import { MINUTE_MS } from '@oja/domain/rules';
import type { RateRule } from '@oja/http';
import type { QueryCall } from './calls/index.js';

/**
 * How often an address may open a line for live hints; null: as often as it likes. A page keeps one line, and opens
 * it again at most every few seconds.
 */
export const connectRuleOf = ({ demo }: { readonly demo: boolean }): RateRule | null =>
  demo ? null : { name: 'sockets', limit: 600, windowMs: MINUTE_MS };

/**
 * How often an address may make the calls that read the whole catalogue. A mobile network shows thousands of
 * phones under one address: a hundred and fifty people who type and scroll at the same moment stay below the
 * limit of searches, and one machine that asks for the dearest ones without end takes less than one core. A
 * demo is tried by one person, and measured.
 */
export function rateRulesOf({
  demo,
}: {
  readonly demo: boolean;
}): Partial<Record<QueryCall['name'], RateRule>> {
  if (demo) return {};
  return {
    searchProducts: { name: 'search', limit: 900, windowMs: MINUTE_MS },
    suggestProducts: { name: 'suggest', limit: 900, windowMs: MINUTE_MS },
    allProducts: { name: 'all-products', limit: 300, windowMs: MINUTE_MS },
  };
}
