/** Names that both sides of the wire must spell alike; free of zod, so the web app can carry them. */

/** `<logId>.<20 digits>`: opaque to clients, given back with the next read. */
export const POSITION_HEADER = 'Oja-Position';
/** 'true' when an answer may be behind what the client has just done. */
export const STALE_HEADER = 'Oja-Stale';
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** Events of the socket: the client says `register` with its seller id, the server `notification`. */
export const SOCKET_REGISTER = 'register';
export const SOCKET_NOTIFICATION = 'notification';
/** What the seller may do has changed: the profile says how it stands now. */
export const SOCKET_RIGHTS = 'rights';

/** Where the browser keeps what. */
export const AUTH_STORAGE = 'auth-storage';
export const ORDERS_STORAGE = 'oja-orders';
export const SAVED_STORAGE = 'oja-saved';
export const SEEN_STORAGE = 'oja-seen';
