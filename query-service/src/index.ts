export type { Person } from '@oja/contracts';
export { type Authenticator, createAuthenticator } from './authenticate.js';
export type { QueryCall, QueryHandlers } from './calls/index.js';
export type { QueryServiceDeps } from './deps.js';
export { rateRulesOf } from './rate-rules.js';
export type { Condition } from './service.js';
export { createQueryService, type QueryService } from './service.js';
