import { AUTH_STORAGE } from '@oja/contracts/wire';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { expectErrors } from '../../test/console.js';
import { delayedAnswer } from '../../test/delayed.js';
import { aProduct } from '../../test/products.js';
import { aSeller } from '../../test/sellers.js';
import { accessToken } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { startSingleOrder } from './cart.js';
import { changeAuthStorage, initialAuthStorage, useAuthStorage } from './persistent-store.js';
import {
  currentUser,
  endSession,
  recordPendingLogout,
  restoreSession,
  signIn,
  signOut,
} from './session.js';

const server = setupServer();
let asked = 0;
const refresh = (status: number) =>
  http.get(new URL('/v1/refresh-token', location.href).href, () => {
    asked += 1;
    return status === 200
      ? HttpResponse.json({ success: true, accessToken: 'fresh' })
      : HttpResponse.json({ success: false, message: 'over' }, { status });
  });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  asked = 0;
  signOut();
  changeAuthStorage(() => initialAuthStorage);
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('the session', () => {
  it('asks the cookie on load only when storage names somebody', async () => {
    server.use(refresh(200));
    await restoreSession();
    expect(asked).toBe(0);
    changeAuthStorage(() => ({ user: aSeller() }));
    await restoreSession();
    expect(accessToken()).toBe('fresh');
  });

  it('is over when the cookie no longer counts', async () => {
    server.use(refresh(401));
    changeAuthStorage(() => ({ user: aSeller() }));
    await restoreSession();
    expect(currentUser()).toBeNull();
  });

  it('takes nothing away from a page that anybody may read when it turns out to be over', async () => {
    server.use(refresh(401));
    queryClient.setQueryData(['products', 'one', 'p1'], 'a watch');
    changeAuthStorage(() => ({ user: aSeller() }));
    await restoreSession();
    expect(currentUser()).toBeNull();
    expect(queryClient.getQueryData(['products', 'one', 'p1'])).toBe('a watch');
  });

  describe('whose cookie is somebody else’s by now', () => {
    /** The market's tokens name whom they are for. */
    const tokenOf = (sub: string) =>
      `e30.${btoa(JSON.stringify({ sid: 'one', sub })).replace(/=+$/, '')}.signed`;
    const refreshed = (sub: string) =>
      http.get(new URL('/v1/refresh-token', location.href).href, () =>
        HttpResponse.json({ success: true, accessToken: tokenOf(sub) }),
      );

    it('ends, since storage has not been told who that is', async () => {
      server.use(refreshed('s7'));
      changeAuthStorage(() => ({ user: aSeller() }));
      await restoreSession();
      expect([currentUser(), accessToken()]).toEqual([aSeller(), tokenOf('s7')]);
      signIn(aSeller(), 'stale');
      queryClient.setQueryData(['own'], 'secret');
      server.use(refreshed('s8'));
      await restoreSession();
      expect([currentUser(), accessToken()]).toEqual([null, undefined]);
      expect(queryClient.getQueryData(['own'])).toBeUndefined();
    });

    it('is that person’s where another tab has just logged them in', async () => {
      server.use(refreshed('s8'));
      changeAuthStorage(() => ({ user: aSeller() }));
      const user = aSeller({ user_id: 's8' });
      localStorage.setItem(AUTH_STORAGE, JSON.stringify({ state: { user }, version: 1 }));
      await restoreSession();
      await expect.poll(accessToken).toBe(tokenOf('s8'));
      expect(currentUser()?.user_id).toBe('s8');
    });
  });

  describe('whose logout the market has not heard of', () => {
    let [ended, status] = [0, 500];
    const leaves = async () => {
      [ended, status] = [0, 500];
      server.use(
        http.delete(new URL('/v1/logout', location.href).href, () => {
          ended += 1;
          return HttpResponse.json({ success: status === 200, message: '' }, { status });
        }),
      );
      signIn(aSeller(), 'token');
      await expect(endSession()).rejects.toThrow();
      signOut('left');
    };

    it('is ended at the next load, once', async () => {
      await leaves();
      expectErrors(/ApiError/);
      await restoreSession();
      expect(ended).toBe(2);
      status = 200;
      await restoreSession();
      await restoreSession();
      expect(ended).toBe(3);
    });

    it('is ended when the network is back', async () => {
      await leaves();
      status = 200;
      dispatchEvent(new Event('offline'));
      dispatchEvent(new Event('online'));
      await expect.poll(() => ended).toBe(2);
      await restoreSession();
      expect(ended).toBe(2);
    });

    it('is ended also where the page was closed before the logout had ended here', async () => {
      await leaves();
      signIn(aSeller(), 'token');
      recordPendingLogout();
      status = 200;
      await restoreSession();
      expect([currentUser(), ended]).toEqual([null, 2]);
    });

    it('is not ended any more while somebody logs in: a late answer would take their cookie', async () => {
      await leaves();
      const slow = delayedAnswer(() => HttpResponse.json({ success: true, message: '' }));
      let isGivenUp = false;
      server.use(
        refresh(200),
        http.delete(new URL('/v1/logout', location.href).href, ({ request }) => {
          request.signal.addEventListener('abort', () => {
            isGivenUp = true;
          });
          ended += 1;
          return slow.resolver();
        }),
      );
      expectErrors(/Stopped/);
      const restored = restoreSession();
      await expect.poll(() => ended).toBe(2);
      signIn(aSeller({ user_id: 's8' }), 'another');
      await expect.poll(() => isGivenUp).toBe(true);
      slow.release();
      await restored;
    });

    it('is left alone once somebody has logged in: the cookie is theirs', async () => {
      await leaves();
      server.use(refresh(200));
      signIn(aSeller({ user_id: 's8' }), 'another');
      await restoreSession();
      signOut();
      await restoreSession();
      expect(ended).toBe(1);
    });
  });

  it('is asked for again when the network is back, if it could not be asked for before', async () => {
    server.use(refresh(503));
    expectErrors(/over/);
    changeAuthStorage(() => ({ user: aSeller() }));
    dispatchEvent(new Event('offline'));
    await restoreSession();
    server.use(refresh(200));
    dispatchEvent(new Event('online'));
    await expect.poll(accessToken).toBe('fresh');
    expect(asked).toBe(2);
  });

  it('is kept when the server cannot answer', async () => {
    server.use(refresh(503));
    expectErrors(/over/);
    changeAuthStorage(() => ({ user: aSeller() }));
    await restoreSession();
    expect(currentUser()).toEqual(aSeller());
    expect(accessToken()).toBeUndefined();
  });

  it('forgets the person and what was loaded for them at logout, and keeps the cart', () => {
    signIn(aSeller(), 'token');
    startSingleOrder(aProduct());
    queryClient.setQueryData(['own'], 'secret');
    signOut();
    expect(accessToken()).toBeUndefined();
    expect(queryClient.getQueryData(['own'])).toBeUndefined();
    const { user, singleProductId, itemsAddedToCart } = useAuthStorage.getState();
    expect({ user, singleProductId }).toEqual({ user: null, singleProductId: null });
    expect(itemsAddedToCart).toHaveLength(1);
  });

  it('forgets all of that also when another tab logs out', () => {
    signIn(aSeller(), 'token');
    queryClient.setQueryData(['own'], 'secret');
    changeAuthStorage(() => ({ user: null }));
    expect(accessToken()).toBeUndefined();
    expect(queryClient.getQueryData(['own'])).toBeUndefined();
  });

  it('leaves nothing of what was seen in the browser at logout, and the shell for whoever comes next', async () => {
    const names = new Set(['oja-pages', 'oja-catalogue', 'oja-pictures', 'shell', 'shell-assets']);
    vi.stubGlobal('caches', {
      keys: async () => [...names],
      delete: async (name: string) => names.delete(name),
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    signIn(aSeller(), 'token');
    signOut();
    await expect.poll(() => [...names]).toEqual(['shell', 'shell-assets']);
  });

  it('shows nothing of one person to another who logs in after them', () => {
    signIn(aSeller(), 'token');
    queryClient.setQueryData(['own'], 'secret');
    signIn(aSeller({ user_id: 's8' }), 'other');
    expect(queryClient.getQueryData(['own'])).toBeUndefined();
    expect(currentUser()?.user_id).toBe('s8');
    expect(accessToken()).toBe('other');
  });

  it('asks anew who is here when another tab has logged somebody else in', async () => {
    server.use(refresh(200));
    signIn(aSeller(), 'token');
    queryClient.setQueryData(['own'], 'secret');
    changeAuthStorage(() => ({ user: aSeller({ user_id: 's8' }) }));
    expect(accessToken()).toBeUndefined();
    expect(queryClient.getQueryData(['own'])).toBeUndefined();
    await expect.poll(accessToken).toBe('fresh');
  });

  it('never puts the token where a script could read it later', () => {
    signIn(aSeller(), 'very-secret');
    expect(JSON.stringify({ ...localStorage })).not.toContain('very-secret');
  });
});
