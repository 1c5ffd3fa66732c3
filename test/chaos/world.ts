import type { MovingClock } from './clock.js';
import type { Engines } from './engines.js';
import type { Roles } from './roles.js';

/** A market as the chaos run sees it: its processes, its engines and its clock. */
export interface World {
  readonly roles: Roles;
  readonly engines: Engines;
  readonly clock: MovingClock;
  readonly dataDir: string;
}
