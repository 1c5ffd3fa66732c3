import { calls } from '@oja/contracts';
import { expect, it } from 'vitest';
import { answers } from './answers.js';

const asked = { params: {}, query: {}, body: undefined, headers: new Headers() };

it.each(Object.values(calls))('answers $name as contracts say', (call) => {
  const [schema] = Object.values(call.answers);
  expect(schema?.safeParse(answers[call.name](asked)).error).toBeUndefined();
});
