export type { Person } from '@oja/contracts';
export type { QueryCall } from './deps.js';
export { createQueryService, type QueryService, rateRulesOf } from './service.js';
