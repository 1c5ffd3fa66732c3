import { makeSampleMarket } from './sample-market.js';

/** Before the tests that open markets. */
export default () => makeSampleMarket();
