import { expect, it } from 'vitest';
import { nearest } from './usage.js';

it.each([
  ['sttaus', ['start', 'status', 'config'], 'status'],
  ['catalogeu', ['ledger', 'catalogue', 'reviews'], 'catalogue'],
  ['tial', ['tail', 'show', 'stats'], 'tail'],
  ['Aduni', ['Sade Wears', 'Adunni Textiles', 'Ada'], 'Adunni Textiles'],
  ['adunni textiles', ['Textiles of Aba', 'Adunni Textiles'], 'Adunni Textiles'],
])('%j is nearest, of %j, to %j', (text, candidates, found) => {
  expect(nearest(text, candidates)).toBe(found);
});

it('nothing is near where there is nothing', () => {
  expect(nearest('anything', [])).toBeNull();
});
