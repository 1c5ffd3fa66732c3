import { endpointOf } from '../api/call-address.js';

/** The reads that shoppers' pages are made of, with answers that are the same for everybody. */
const PUBLIC_READS = [
  endpointOf('searchProducts'),
  endpointOf('productsByIds'),
  endpointOf('getProduct'),
  endpointOf('getStore'),
  endpointOf('getComments'),
  endpointOf('getRatings'),
  endpointOf('getSettings'),
].map(([, path]) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`));

/** Whether an answer may be cached: only that of a public read, and never one that was requested with a token. */
export function isPublicRead(url: URL, request: Request): boolean {
  return (
    request.method === 'GET' &&
    !request.headers.has('Authorization') &&
    PUBLIC_READS.some((path) => path.test(url.pathname))
  );
}

/** Pictures of products, from Oja's own host. */
export function isPicture(url: URL): boolean {
  return url.origin === location.origin && url.pathname.startsWith('/v1/image/');
}
