import { expect, it } from 'vitest';
import { nextStep } from './collections.js';
import { layout, type SpecRow } from './specs.js';

const byName = { kind: 'equality', fields: ['name'] } as const;
const byPrice = { kind: 'sorted', fields: [], by: ['price'] } as const;
const spec = { name: 'goods', indexes: [byName] };

/** The row of a collection that has what the spec declares. */
const ready: SpecRow = {
  ...{ _id: 'goods', place: 'goods.1', indexes: [byName], version: 1 },
  ...{ layout, wordOrders: 'beside' },
};
const { layout: _layout, ...otherLayout } = ready;
const { wordOrders: _orders, ...withoutOrders } = ready;
/** As it is while nobody reads it yet. */
const loaded: SpecRow = { ...withoutOrders, loading: true };

it.each<[what: string, row: SpecRow | null, kind: ReturnType<typeof nextStep>['kind']]>([
  ['claims a name that nobody has', null, 'claim'],
  ['finishes a drop before it claims', { ...ready, doing: 'dropping' }, 'finish drop'],
  ['finishes what another process began to make', { ...ready, doing: 'making' }, 'make'],
  ['goes on filling', { ...ready, doing: 'filling' }, 'fill'],
  ['fills anew what has another layout', otherLayout, 'fill'],
  [
    'completes the indexes of an earlier release',
    { ...ready, wordOrders: true },
    'complete indexes',
  ],
  ['completes the indexes after a load', loaded, 'complete indexes'],
  ['leaves alone what is there', ready, 'nothing'],
])('%s', (_, row, kind) => {
  expect(nextStep(row, spec, false).kind).toBe(kind);
});

it('leaves a collection without its late indexes while it is loaded', () => {
  expect(nextStep(loaded, spec, true)).toEqual({ kind: 'nothing' });
});

it('fills a further version with what is declared newly, and keeps what others have declared', () => {
  const other = { name: 'goods', indexes: [byPrice] };
  const indexes = [byName, byPrice];
  expect(nextStep(ready, other, false)).toEqual({ kind: 'fill', indexes, isFurther: true });
  const filling: SpecRow = { ...ready, indexes, version: 2, doing: 'filling' };
  expect(nextStep(filling, other, false)).toEqual({ kind: 'fill', indexes, isFurther: false });
});
