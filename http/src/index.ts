export {
  answerFailure,
  awaitPosition,
  type Cookie,
  type Cookies,
  createCookies,
  type Failure,
  failureBody,
  Overloaded,
  type Positions,
  positionToken,
  readPosition,
} from './answer.js';
export { createApp } from './app.js';
export {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
} from './authenticate.js';
export {
  type CallAnswer,
  type CallHandler,
  type CallHandlers,
  type CallRequest,
  notYours,
  refuse,
} from './call.js';
export { type BodyResult, invalidFields, parseJson, parseWith } from './call-input.js';
export { commandIdOf, createIdempotency, type Idempotency } from './idempotency.js';
export { createListener, type Listener } from './listener.js';
export { type Identity, mountCalls, mountNoSuchCall } from './mount-calls.js';
export { createReadiness, type Readiness } from './operations.js';
export {
  clientAddressOf,
  contentSecurityPolicy,
  crossSiteFailure,
  privateOnly,
  redirectToPublicHost,
} from './origin.js';
export {
  createLocalRateLimiter,
  createRateLimiter,
  type RateLimiter,
  type RateRule,
} from './rate-limit.js';
export { fileOf, staticFiles } from './static-files.js';
export type { App, Context, Middleware, RequestState } from './types.js';
