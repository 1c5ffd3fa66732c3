export * from './call.js';
export * from './calls/index.js';
export * from './openapi.js';
export {
  callsOf,
  edgeRules,
  type RouteTable,
  routePrefixes,
  routeTable,
  upgradePaths,
  upgradePatterns,
} from './route-table.js';
export { asFlag } from './schemas/common.js';
export type * from './schemas/market.js';
export { asProfile, asUserDetails } from './schemas/market.js';
export type * from './schemas/product.js';
export { attributes } from './schemas/product.js';
export type * from './schemas/transaction.js';
