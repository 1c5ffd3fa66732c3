/** Reads that show the market to everybody alike. */
const CATALOGUE =
  /^\/v1\/(products\/(search|by-ids|allUsers)|product\/|stores\/|comments$|ratings$|settings$)/;

/** Whether an answer may be kept: never one that was asked for with a token, and only reads. */
export function isCatalogue(url: URL, request: Request): boolean {
  return (
    request.method === 'GET' &&
    !request.headers.has('Authorization') &&
    CATALOGUE.test(url.pathname)
  );
}

/** Pictures of goods, from Oja's own host. */
export function isPicture(url: URL): boolean {
  return url.origin === location.origin && url.pathname.startsWith('/v1/image/');
}
