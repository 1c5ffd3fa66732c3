import { DAY_MS } from '@oja/domain/rules';

/** How long to wait after so many failures before this one: doubled after each, up to a day. Milliseconds. */
export const pauseAfter = (failures: number, firstMs: number): number =>
  Math.min(firstMs * 2 ** failures, DAY_MS);
