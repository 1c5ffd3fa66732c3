export { FIRST_SEED, isSeeded, type SeedDeps, seedMarket } from './seed.js';
