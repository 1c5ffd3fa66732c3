export { FIRST_SEED, type SeedDeps, seedingOf, seedMarket } from './seed.js';
