// `npm run siege -- [minutes]`: builds what it needs, then mixes hostile and honest traffic in a
// market of its own; 30 minutes by default.
import { longTest } from './lib/long-test.mjs';

await longTest('siege', 'besieging a market');
