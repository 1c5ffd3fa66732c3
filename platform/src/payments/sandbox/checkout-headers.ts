import { createHash } from 'node:crypto';
import { checkoutStyle } from './checkout-style.js';

const STYLE_HASH = createHash('sha256').update(checkoutStyle).digest('base64');

/**
 * The page has no script and one inline style, known by its hash. Browsers apply form-action to the
 * redirect after a press too, so the way back to the market is named.
 */
export function pageHeaders(callbackUrl: string | null): Record<string, string> {
  const back = callbackUrl === null ? '' : ` ${new URL(callbackUrl).origin}`;
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      'img-src data:',
      `form-action 'self'${back}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
