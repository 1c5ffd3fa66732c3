import { expect, it } from 'vitest';
import { given } from '../test/given.js';
import { operations } from './operations.js';

const at = '2026-03-01T08:00:00.000Z';
const record = <E>(event: E) => ({ type: 'RecordOperation', event }) as const;
const erase = record({ type: 'SubjectErased', data: { subject: 'seller:ada', at } } as const);

it('records what operators do, as it is', () => {
  const event = { type: 'ReplayRequested', data: { projection: 'p', generation: 2, at } } as const;
  given(operations).when(record(event)).thenHappens(event);
});

it('erases a subject once, and knows it for ever', () => {
  given(operations).when(erase).thenHappens('SubjectErased');
  given(operations, erase).when(erase).thenNothing();
  expect(given(operations, erase).state.erased).toEqual(['seller:ada']);
});
