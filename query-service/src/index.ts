export type { QueryCall, QueryHandlers } from './calls/index.js';
export type { QueryServiceDeps } from './deps.js';
export { type Authenticator, createAuthenticator } from './people/authenticate.js';
export type { Person } from './people/person.js';
export type { Condition } from './ready.js';
export { createQueryService, type QueryService } from './service.js';
