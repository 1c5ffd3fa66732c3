import { SOCKET_RIGHTS } from '@oja/contracts/wire';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { aSeller } from '../test/sellers.js';
import { listen } from './realtime.js';
import { currentUser, signIn, signOut } from './stores/session.js';

/** What the server sends through the socket: name of the event → what listens to it. */
const heard = new Map<string, () => void>();
vi.mock('socket.io-client', () => ({
  io: () => ({
    on: (name: string, then: () => void) => heard.set(name, then),
    emit: () => {},
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
  await new Promise((next) => setTimeout(next));
  expect(currentUser()?.is_suspended).toBe(1);
});
