export { FIRST_SEED, seedingOf } from './seed.js';
export { seedGround } from './seedGround.js';
