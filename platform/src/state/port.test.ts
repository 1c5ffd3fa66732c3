import fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterPrefix } from './port.js';

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const text = fc.string({ unit: 'binary', maxLength: 6 });

it('bounds exactly the texts that start with the prefix', () => {
  fc.assert(
    fc.property(text, text, (prefix, other) => {
      for (const candidate of [other, prefix + other]) {
        const end = afterPrefix(prefix);
        const inRange =
          byCodePoint(candidate, prefix) >= 0 && (end === null || byCodePoint(candidate, end) < 0);
        expect(inRange).toBe(candidate.startsWith(prefix));
      }
    }),
  );
});

it('steps over the surrogates and carries over the last code point', () => {
  expect(afterPrefix('a\ud7ff')).toBe('a\ue000');
  expect(afterPrefix('a\u{10ffff}')).toBe('b');
  expect(afterPrefix('\u{10ffff}')).toBeNull();
  expect(afterPrefix('')).toBeNull();
});
