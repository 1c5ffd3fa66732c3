import type { Middleware } from './types.js';

/** Two years, in seconds. */
const HSTS_SECONDS = 63_072_000;

interface SecurityOptions {
  /** The address under which browsers reach the market. */
  readonly publicUrl: string;
  /** Other origins that pages load pictures from and upload them to. */
  readonly imageOrigins?: readonly string[];
}

/**
 * The Content-Security-Policy of our pages: no inline scripts, and nothing from other origins except
 * pictures. Inline styles are allowed, because they run nothing and libraries set them.
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

/** Sets the security headers on every answer, also on failures. A handler may set a stricter value. */
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
