import { createReadiness, StoreUnavailable } from '@oja/platform';
import { expect, it } from 'vitest';
import { logAnswers, THE_LOG } from './logAnswers.js';

it('names the log among what is waited for while it is away, or silent', async () => {
  const readiness = createReadiness();
  let head = async (): Promise<null> => null;
  readiness.add(THE_LOG, () => logAnswers({ head: () => head() }));
  expect(await readiness.waitingFor()).toEqual([]);
  head = async () => {
    throw new StoreUnavailable('EventStoreDB could not find its end', false);
  };
  expect(await readiness.waitingFor()).toEqual(['the log']);
  head = () => new Promise(() => undefined);
  expect(await readiness.waitingFor()).toEqual(['the log']);
});
