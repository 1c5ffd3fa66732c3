export { SAMPLE_PASSWORD } from './samples/sellers.js';
export type { SampleSize } from './samples/types.js';
export { FIRST_SEED, sampleBytes, seedFirstStart, seedMarket } from './seed/seed.js';
