import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../eventstore/port.js';
import { canonicalJson } from './scalars.js';

type Members = { readonly [name: string]: Json };

/** The same value, with members in order of their names. A list's own members are its items. */
function inOrder(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value as Members);
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Texts with quotes, backslashes, control characters and halves of surrogate pairs among them. */
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
const scalar = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const value = fc.oneof(scalar, fc.boolean(), fc.constant(null), fc.array(scalar));

it('writes a value as JSON does, with members in order', () => {
  // Names that are whole numbers come first in every object, so they have no other order to be written in.
  const name = text.filter((one) => !/^(0|[1-9]\d*)$/.test(one) && one !== '__proto__');
  fc.assert(
    fc.property(fc.dictionary(name, value), (document) => {
      expect(canonicalJson(document)).toBe(JSON.stringify(inOrder(document)));
    }),
  );
});

it('writes equal documents alike, in whatever order their members were set', () => {
  fc.assert(
    fc.property(fc.dictionary(text, value), (document) => {
      const reversed = Object.fromEntries(Object.entries(document).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(document));
      expect(JSON.parse(canonicalJson(document))).toEqual(JSON.parse(JSON.stringify(document)));
    }),
  );
});

it('leaves undefined members out', () => {
  expect(canonicalJson({ b: 1, a: undefined as never })).toBe('{"b":1}');
});
