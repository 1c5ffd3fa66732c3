export type { Person } from '@oja/contracts';
export { type Authenticator, createAuthenticator } from './authenticate.js';
export type { QueryCall, QueryHandlers, QueryServiceDeps } from './deps.js';
export type { Condition } from './service.js';
export { createQueryService, type QueryService, rateRulesOf } from './service.js';
