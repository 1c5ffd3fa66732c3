import { halves, runEach } from './support/guide.js';

/** Copies, drills and moves: as long as all the rest, so beside it. */
const [, after] = halves();

runEach(after);
