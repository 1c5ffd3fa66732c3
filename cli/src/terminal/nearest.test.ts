import { expect, it } from 'vitest';
import { nearest } from './usage.js';

it.each([
  ['sttaus', ['start', 'status', 'config'], 'status'],
  ['catalogeu', ['ledger', 'catalogue', 'reviews'], 'catalogue'],
  ['tial', ['tail', 'show', 'stats'], 'tail'],
  ['catalog', ['ledger', 'catalogue'], 'catalogue'],
  ['Aduni', ['Sade Wears', 'Adunni Textiles', 'Ada'], 'Adunni Textiles'],
  ['adunni textiles', ['Textiles of Aba', 'Adunni Textiles'], 'Adunni Textiles'],
])('%j is nearest, of %j, to %j', (text, candidates, found) => {
  expect(nearest(text, candidates)).toBe(found);
});

it.each([
  ['nope', ['0190a1b2-0000-7000-8000-0123456789ab', '0190c3d4-0000-7000-8000-ba9876543210']],
  ['0190ffff-1111-7222-8333-444455556666', ['0190a1b2-0000-7000-8000-0123456789ab']],
  ['yams', ['start', 'status', 'config']],
  ['nope', ['move reopen', 'income', 'schema']],
  ['nope', ['top', 'status']],
  ['tcsh', ['bash', 'zsh', 'fish']],
  ['x', ['Adunni Textiles', 'Sade Wears']],
  ['', ['Sade Wears', 'operations']],
])('nothing is near to %j of %j: what is only somewhere is not proposed', (text, candidates) => {
  expect(nearest(text, candidates)).toBeNull();
});

it('nothing is near where there is nothing', () => {
  expect(nearest('anything', [])).toBeNull();
});
