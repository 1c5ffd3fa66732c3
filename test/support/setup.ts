import { makeSampleMarket } from './sample-market.js';

/** Global setup of the tests that open markets. */
export default () => makeSampleMarket();
