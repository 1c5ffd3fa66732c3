import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/market.js';
import { tracesOf } from './traces.js';

it('finds a value wherever it stands in a text that was base64 encoded, and in plain bytes', () => {
  const folder = temporaryFolder();
  const value = 'Ngozi Ọlá Eze';
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), fc.boolean(), (before, after, url) => {
      const whole = Buffer.concat([before, Buffer.from(value), after]);
      const text = whole.toString(url ? 'base64url' : 'base64');
      for (const content of [whole, text]) {
        writeFileSync(join(folder.path, 'file'), content);
        expect(tracesOf(folder.path, { value })).not.toEqual([]);
      }
    }),
    { numRuns: 50 },
  );
  folder.remove();
});
