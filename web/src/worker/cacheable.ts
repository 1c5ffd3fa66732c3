/** Reads of the catalogue, which are the same for everybody. */
const CATALOGUE =
  /^\/v1\/(products\/(search|by-ids|allUsers)|product\/|stores\/|comments$|ratings$|settings$)/;

/** Whether an answer may be cached: only reads of the catalogue, and never one that was requested with a token. */
export function isCatalogue(url: URL, request: Request): boolean {
  return (
    request.method === 'GET' &&
    !request.headers.has('Authorization') &&
    CATALOGUE.test(url.pathname)
  );
}

/** Pictures of products, from Oja's own host. */
export function isPicture(url: URL): boolean {
  return url.origin === location.origin && url.pathname.startsWith('/v1/image/');
}
