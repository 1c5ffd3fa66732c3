import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { invalidate, queryClient } from './query-client.js';

afterEach(() => queryClient.clear());

/** A page that shows the last answer, and a server whose answers the test gives by hand. */
function page() {
  const answers: ((words: string) => void)[] = [];
  const observer = new QueryObserver<string>(queryClient, {
    queryKey: ['goods', 'all'],
    queryFn: () => new Promise((resolve) => answers.push(resolve)),
  });
  const shown: (string | undefined)[] = [];
  observer.subscribe(({ data }) => shown.push(data));
  return { answers, shown: () => shown.at(-1) };
}

it('a first load that began before a change is begun anew', async () => {
  const { answers, shown } = page();
  const read = invalidate(['goods']);
  expect(answers.length).toBe(2);
  answers[0]?.('before the change');
  answers[1]?.('after it');
  await read;
  expect(shown()).toBe('after it');
});

it('what is shown is read again, and stays until it has come', async () => {
  const { answers, shown } = page();
  answers[0]?.('before the change');
  await expect.poll(shown, { timeout: 60_000 }).toBe('before the change');
  const read = invalidate(['goods']);
  expect(shown()).toBe('before the change');
  answers[1]?.('after it');
  await read;
  expect(shown()).toBe('after it');
});

it('what nobody looks at is left alone', async () => {
  let asked = 0;
  const load = queryClient.fetchQuery({
    queryKey: ['goods', 'elsewhere'],
    queryFn: async () => {
      asked += 1;
      return asked;
    },
  });
  await invalidate(['goods']);
  expect(await load).toBe(1);
});
