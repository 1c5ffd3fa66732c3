import { SOCKET_NOTIFICATION, SOCKET_RIGHTS } from '@oja/contracts/wire';
import { QueryObserver } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { delayedAnswer } from '../test/delayed.js';
import { aSeller } from '../test/sellers.js';
import { payoutAccountQuery } from './api/profile.js';
import { queryClient } from './api/query-client.js';
import { listen } from './realtime.js';
import { currentUser, signIn, signOut } from './stores/session.js';

/** What the server sends through the socket: name of the event → what listens to it. */
const heard = new Map<string, () => void>();
let connects = 0;
vi.mock('socket.io-client', () => ({
  io: () => ({
    on: (name: string, then: () => void) => heard.set(name, then),
    emit: () => {},
    // A server that refuses every connection; not for ever, so that a test that fails ends.
    connect: () => {
      connects += 1;
      if (connects < 10) heard.get('connect_error')?.();
    },
    disconnect: () => {},
  }),
}));

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  signOut();
  server.resetHandlers();
});
afterAll(() => server.close());

/** Lets the event loop turn, for what must not happen. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setTimeout(next));
}

it('takes over the rights that are told while those of the connection are still being read', async () => {
  const answers: ((is_suspended: 0 | 1) => void)[] = [];
  let answered = 0;
  server.use(
    http.get('*/v1/user/single-user', async () => {
      const is_suspended = await new Promise<0 | 1>((resolve) => answers.push(resolve));
      answered += 1;
      return HttpResponse.json({ success: true, result: [aSeller({ is_suspended })] });
    }),
  );
  signIn(aSeller(), 'token');
  onTestFinished(listen('s7'));
  heard.get('connect')?.();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  heard.get(SOCKET_RIGHTS)?.();
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(1);
  await vi.waitFor(() => expect(currentUser()?.is_suspended).toBe(1));
  answers[0]?.(0);
  await vi.waitFor(() => expect(answered).toBe(2));
  await turns(1);
  expect(currentUser()?.is_suspended).toBe(1);
});

it('logs no error when somebody logs out while the profile is still being read', async () => {
  const profile = delayedAnswer(() => HttpResponse.json({ success: true, result: [aSeller()] }));
  const resolver = vi.fn(profile.resolver);
  server.use(http.get('*/v1/user/single-user', resolver));
  signIn(aSeller(), 'token');
  const stop = listen('s7');
  heard.get('connect')?.();
  await vi.waitFor(() => expect(resolver).toHaveBeenCalledOnce());
  signOut();
  stop();
  profile.release();
  await turns(20);
  expect(console.error).not.toHaveBeenCalled();
});

it('comes back to a server that refuses it once in half a minute, with one fresh token each', async () => {
  let refreshes = 0;
  server.use(
    http.get('*/v1/refresh-token', () => {
      refreshes += 1;
      return HttpResponse.json({ accessToken: `token ${refreshes}` });
    }),
    http.get('*', () => HttpResponse.json({}, { status: 404 })),
  );
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  signIn(aSeller(), 'token');
  onTestFinished(listen('s7'));
  heard.get('connect_error')?.();
  await vi.waitFor(() => expect(refreshes).toBe(1));
  await turns(20);
  expect(refreshes).toBe(1);
  vi.advanceTimersByTime(30_000);
  await vi.waitFor(() => expect(refreshes).toBe(2));
});

it('reads the bank account again with a notice: it may tell that another one was set elsewhere', async () => {
  let account_number = '0000000001';
  server.use(
    http.get('*/v1/user/payout-account', () =>
      HttpResponse.json({ account: { account_name: 'Ada', account_number, bank_code: '058' } }),
    ),
  );
  signIn(aSeller(), 'token');
  onTestFinished(listen('s7'));
  const shown = new QueryObserver(queryClient, payoutAccountQuery);
  onTestFinished(shown.subscribe(() => {}));
  const now = () => shown.getCurrentResult().data?.account_number;
  await vi.waitFor(() => expect(now()).toBe('0000000001'));
  account_number = '5555555555';
  heard.get(SOCKET_NOTIFICATION)?.();
  await vi.waitFor(() => expect(now()).toBe('5555555555'));
});
