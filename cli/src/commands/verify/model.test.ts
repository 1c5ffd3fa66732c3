import { expect, it } from 'vitest';
import { linesOfDifferences } from './model.js';

it('says of a wrong count that it is one, and of what', () => {
  const collection = 'products';
  expect(
    linesOfDifferences([
      { collection, id: 'p-1', kind: 'misindexed', fields: ['shown'] },
      { collection, id: '["bags",true]', kind: 'misindexed', fields: ['category', 'shown'] },
    ]),
  ).toEqual([
    '  products p-1 is right, but an index of the live model is wrong about it in shown',
    '  products: the live model counts its documents of category, shown ["bags",true] wrongly',
  ]);
});
