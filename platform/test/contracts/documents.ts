import { describe } from 'vitest';
import { finding } from './documents.finding.js';
import type { MakeDocuments } from './documents.fixture.js';
import { hostileMachine } from './documents.hostile.js';
import { answeringLikeTheModel } from './documents.property.js';
import { storing } from './documents.storing.js';

/** The contract of every engine of the `Documents` port. */
export function documentsContract(name: string, make: MakeDocuments): void {
  describe(name, () => {
    storing(make);
    finding(make);
    answeringLikeTheModel(make);
    hostileMachine(make);
  });
}
