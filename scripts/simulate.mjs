// `npm run simulate -- --seed 1 --orders 1000 --days 365`: builds what the simulation needs, then runs it.
import { longTest } from './lib/long-test.mjs';

/** Most objects die with the step that made them: a larger young generation saves a tenth of the time. */
const HEAP = ['--max-semi-space-size=64', '--max-old-space-size=6144'];
await longTest('simulation', 'simulating a market', HEAP);
