import { describe, it } from 'vitest';
import { reachEngines } from '../support/engines.js';
import { walkThroughServices } from './split-services.js';

const reached = await reachEngines();

walkThroughServices('embedded engines');
if (reached.names.length > 0) walkThroughServices(reached.names.join(', '), reached.env);
for (const missing of reached.missing) {
  console.info(`not run: separate services on ${missing}`);
  describe(`Separate services on ${missing.split(' ', 1)[0]}`, () => {
    it.skip(`was not reached: ${missing}`);
  });
}
