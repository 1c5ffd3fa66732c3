// `npm run chaos -- --orders 1000`: builds what the chaos test needs, then runs it.
import { longTest } from './lib/long-test.mjs';

await longTest('chaos', 'killing services of a market');
