/** Names that client and server must spell alike. Must not import zod, because the web app loads it. */

/** `<logId>.<20 digits>`: opaque to clients, which send it back with the next read. */
export const POSITION_HEADER = 'Oja-Position';
/** 'true' when the answer may not include what the client has just done. */
export const STALE_HEADER = 'Oja-Stale';
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** Socket events: the client sends `register` with its seller id, the server sends `notification`. */
export const SOCKET_REGISTER = 'register';
export const SOCKET_NOTIFICATION = 'notification';
/** The seller's rights have changed; the client reloads the profile. */
export const SOCKET_RIGHTS = 'rights';

/** Keys under which the web app stores data in the browser. */
export const AUTH_STORAGE = 'auth-storage';
export const ORDERS_STORAGE = 'oja-orders';
export const SAVED_STORAGE = 'oja-saved';
export const SEEN_STORAGE = 'oja-seen';
/** The lock by which tabs and the service worker, also those of other builds, take turns at the refresh cookie. */
export const REFRESH_LOCK = 'oja-refresh';
