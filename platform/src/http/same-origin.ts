import type { IncomingHttpHeaders } from 'node:http';
import type { Failed } from './failure.js';

const FOREIGN: Failed = {
  status: 403,
  message: 'This request came from another website and was refused',
  code: 'foreign_origin',
};

/**
 * Refuses what another website made a browser send. Browsers say where a request comes from in Origin
 * and Sec-Fetch-Site; programs and the payment provider send neither, and carry no cookies of others.
 */
export function foreignOrigin(headers: IncomingHttpHeaders, publicUrl: string): Failed | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return FOREIGN;
  const { origin } = headers;
  return origin !== undefined && origin !== new URL(publicUrl).origin ? FOREIGN : null;
}
