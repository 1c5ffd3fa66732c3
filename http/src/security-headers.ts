import type { Middleware } from './types.js';

/** Two years, in seconds. */
const HSTS_SECONDS = 63_072_000;

interface SecurityOptions {
  /** Where browsers reach us. */
  readonly publicUrl: string;
  /** Origins besides our own from which pictures come and to which they are sent. */
  readonly imageOrigins?: readonly string[];
}

/**
 * The policy of our own pages: nothing inline that runs, nothing from elsewhere but pictures. Styles
 * may be inline: they run nothing, and libraries set them.
 */
export function contentSecurityPolicy({ publicUrl, imageOrigins = [] }: SecurityOptions): string {
  const { host, protocol } = new URL(publicUrl);
  const socket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`;
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...imageOrigins].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", socket, ...imageOrigins].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** On every answer, also a failed one; a handler may put a stricter value in their place. */
export function securityHeaders(options: SecurityOptions): Middleware {
  const headers: Record<string, string> = {
    'Content-Security-Policy': contentSecurityPolicy(options),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    ...(options.publicUrl.startsWith('https:')
      ? { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}; includeSubDomains` }
      : {}),
  };
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}
