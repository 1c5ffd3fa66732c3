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
import { accessToken, call, onSessionEnded, refreshToken, setAccessToken } from './client.js';
import { ApiError } from './error.js';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => setAccessToken(undefined));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const at = (path: string) => new URL(path, location.href).href;
const failureOf = async (made: Promise<unknown>): Promise<ApiError> => {
  const error = await made.catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  throw new Error('the call did not fail as a call fails');
};

describe('a call', () => {
  it('carries the token when one is held, and none otherwise', async () => {
    const seen: (string | null)[] = [];
    server.use(
      http.get(at('/v1/settings'), ({ request }) => {
        seen.push(request.headers.get('Authorization'));
        return HttpResponse.json({ demo: true });
      }),
    );
    await call('getSettings');
    setAccessToken('t1');
    await expect(call('getSettings')).resolves.toEqual({ demo: true });
    expect(seen).toEqual([null, 'Bearer t1']);
  });

  it('fails as an ApiError with status, message, fields and code', async () => {
    server.use(
      http.post(at('/v1/register'), () =>
        HttpResponse.json(
          {
            success: false,
            message: 'Wrong',
            errors: { name: 'too short' },
            code: 'wrong_fields',
            missingFields: ['name'],
          },
          { status: 400 },
        ),
      ),
    );
    const error = await failureOf(
      call('register', { body: { name: '', businessName: '', phone_1: '', password: '' } }),
    );
    expect(error).toMatchObject({
      status: 400,
      message: 'Wrong',
      errors: { name: 'too short' },
      code: 'wrong_fields',
    });
    expect(error.body.missingFields).toEqual(['name']);
  });

  it('has words for an answer that is not the usual one', async () => {
    server.use(http.get(at('/v1/comments'), () => new HttpResponse('<html>', { status: 429 })));
    const error = await failureOf(call('getComments'));
    expect(error.message).not.toBe('');
  });

  it('counts an empty answer as success', async () => {
    server.use(http.delete(at('/v1/logout'), () => new HttpResponse(null, { status: 204 })));
    await expect(call('logout')).resolves.toEqual({});
  });

  it('says that it was stopped when its caller stops it', async () => {
    server.use(http.get(at('/v1/settings'), () => new Promise(() => {})));
    const stop = new AbortController();
    const stopped = failureOf(call('getSettings', { signal: stop.signal }));
    stop.abort();
    expect(await stopped).toMatchObject({ status: 0, code: 'aborted' });
  });
});

describe('the position', () => {
  it('of a write is given back with the next reads', async () => {
    const seen: (string | null)[] = [];
    server.use(
      http.put(at('/v1/user/p1/toggle-suspended'), () =>
        HttpResponse.json({}, { headers: { 'Oja-Position': 'log.00000000000000000042' } }),
      ),
      http.get(at('/v1/settings'), ({ request }) => {
        seen.push(request.headers.get('Oja-Position'));
        return HttpResponse.json({});
      }),
    );
    await call('toggleSuspended', { params: { userId: 'p1' } });
    await call('getSettings');
    await call('getSettings');
    expect(seen).toEqual(['log.00000000000000000042', 'log.00000000000000000042']);
  });

  it('is that of the latest write, in whichever order the answers come', async () => {
    const seen: (string | null)[] = [];
    const at20 = (log: string, position: number) => `${log}.${String(position).padStart(20, '0')}`;
    const positions = [at20('order', 9), at20('order', 7), at20('order', 10), at20('moved', 3)];
    server.use(
      http.put(at('/v1/user/:id/toggle-suspended'), ({ params }) =>
        HttpResponse.json({}, { headers: { 'Oja-Position': positions[Number(params.id)] ?? '' } }),
      ),
      http.get(at('/v1/settings'), ({ request }) => {
        seen.push(request.headers.get('Oja-Position'));
        return HttpResponse.json({});
      }),
    );
    for (const userId of positions.keys()) {
      await call('toggleSuspended', { params: { userId: String(userId) } });
      await call('getSettings');
    }
    expect(seen).toEqual([positions[0], positions[0], positions[2], positions[3]]);
  });

  it('of a clear is the one that its caller saw', async () => {
    let seen: string | null = null;
    server.use(
      http.delete(at('/v1/notifications/read/s1'), ({ request }) => {
        seen = request.headers.get('Oja-Position');
        return HttpResponse.json({});
      }),
    );
    await call('clearNotifications', { params: { userId: 's1' }, position: 'log.7' });
    expect(seen).toBe('log.7');
  });
});

describe('a 403', () => {
  const guarded = (fresh: string) =>
    http.get(at('/v1/user/products'), ({ request }) =>
      request.headers.get('Authorization') === `Bearer ${fresh}`
        ? HttpResponse.json({ userDetails: [] })
        : HttpResponse.json({ success: false, message: 'expired' }, { status: 403 }),
    );

  it('refreshes once for all calls that met it, and makes them again', async () => {
    let refreshes = 0;
    server.use(
      guarded('new'),
      http.get(at('/v1/refresh-token'), () => {
        refreshes += 1;
        return HttpResponse.json({ accessToken: 'new' });
      }),
    );
    setAccessToken('old');
    await Promise.all([call('userProducts'), call('userProducts'), call('userProducts')]);
    expect(refreshes).toBe(1);
    expect(accessToken()).toBe('new');
  });

  it('lets tabs refresh in turn', async () => {
    const request = vi.fn((_name: string, work: () => Promise<boolean>) => work());
    vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: { request } } }));
    server.use(
      guarded('new'),
      http.get(at('/v1/refresh-token'), () => HttpResponse.json({ accessToken: 'new' })),
    );
    setAccessToken('old');
    await call('userProducts');
    vi.unstubAllGlobals();
    expect(request).toHaveBeenCalledWith('oja-refresh', expect.any(Function));
  });

  it('is passed on when the refresh fails, and an ended session is told', async () => {
    const ended = vi.fn();
    onSessionEnded(ended);
    server.use(
      guarded('never'),
      http.get(at('/v1/refresh-token'), () =>
        HttpResponse.json({ success: false, message: 'over' }, { status: 401 }),
      ),
    );
    setAccessToken('old');
    expect(await failureOf(call('userProducts'))).toMatchObject({
      status: 403,
      message: 'expired',
    });
    expect(ended).toHaveBeenCalledOnce();
  });

  it('is passed on when the fresh token is refused too', async () => {
    server.use(
      guarded('never'),
      http.get(at('/v1/refresh-token'), () => HttpResponse.json({ accessToken: 'new' })),
    );
    setAccessToken('old');
    expect(await failureOf(call('userProducts'))).toMatchObject({ status: 403 });
  });

  it('without a token is nothing to refresh', async () => {
    server.use(guarded('never'));
    expect(await failureOf(call('userProducts'))).toMatchObject({ status: 403 });
  });
});

describe('a 401', () => {
  /** A call and a refresh that are refused, unless they come with the token of the session that goes on. */
  const answers = (goesOn: boolean) =>
    server.use(
      http.get(at('/v1/user/products'), ({ request }) =>
        request.headers.get('Authorization') === 'Bearer new'
          ? HttpResponse.json({ userDetails: [] })
          : HttpResponse.json({ success: false, message: 'over' }, { status: 401 }),
      ),
      http.get(at('/v1/refresh-token'), () =>
        goesOn
          ? HttpResponse.json({ accessToken: 'new' })
          : HttpResponse.json({ success: false, message: 'over' }, { status: 401 }),
      ),
    );
  const ended = vi.fn();
  beforeEach(() => {
    ended.mockClear();
    onSessionEnded(ended);
    setAccessToken('old');
  });

  it('ends no session in which the same person logged in again in another tab', async () => {
    answers(true);
    expect(await call('userProducts')).toMatchObject({ userDetails: [] });
    expect(ended).not.toHaveBeenCalled();
    expect(accessToken()).toBe('new');
  });

  it('ends the session, once, when the cookie no longer counts either', async () => {
    answers(false);
    expect(await failureOf(call('userProducts'))).toMatchObject({ status: 401, message: 'over' });
    expect(ended).toHaveBeenCalledOnce();
  });

  it('ends the session when the fresh token is refused as well', async () => {
    answers(false);
    server.use(
      http.get(at('/v1/refresh-token'), () => HttpResponse.json({ accessToken: 'fresh' })),
    );
    expect(await failureOf(call('userProducts'))).toMatchObject({ status: 401 });
    expect(ended).toHaveBeenCalledOnce();
  });
});

describe('an answer to the session before', () => {
  /** Answers a path once the test says so. */
  const late = (path: string, body: Readonly<Record<string, string>>, status = 200) => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      server.use(
        http.get(at(path), async () => {
          resolve();
          await answered;
          return HttpResponse.json(body, { status });
        }),
      );
    });
    return { asked, answer };
  };

  it.each(['call', 'refresh'])('does not end the new one: a 401 to a %s', async (kind) => {
    const ended = vi.fn();
    onSessionEnded(ended);
    setAccessToken('old');
    const path = kind === 'call' ? '/v1/user/products' : '/v1/refresh-token';
    const { asked, answer } = late(path, { message: 'over' }, 401);
    const done = kind === 'call' ? failureOf(call('userProducts')) : refreshToken('old');
    await asked;
    setAccessToken('new');
    answer();
    await done;
    expect(ended).not.toHaveBeenCalled();
    expect(accessToken()).toBe('new');
  });

  it.each([undefined, 'new'])('does not bring it back: now the token is %s', async (now) => {
    setAccessToken('old');
    const { asked, answer } = late('/v1/refresh-token', { accessToken: 'of the session before' });
    const refreshed = refreshToken('old');
    await asked;
    setAccessToken(now);
    answer();
    expect(await refreshed).toBe(now !== undefined);
    expect(accessToken()).toBe(now);
  });

  it('does not bring back one that was left before its first token came', async () => {
    const { asked, answer } = late('/v1/refresh-token', { accessToken: 'of the session before' });
    const refreshed = refreshToken(undefined);
    await asked;
    setAccessToken(undefined);
    answer();
    expect(await refreshed).toBe(false);
    expect(accessToken()).toBeUndefined();
  });

  it('is not taken for one to the new session', async () => {
    const before = late('/v1/refresh-token', { accessToken: 'of the session before' });
    const left = refreshToken(undefined);
    await before.asked;
    setAccessToken(undefined);
    const { asked, answer } = late('/v1/refresh-token', { accessToken: 'new' });
    const refreshed = refreshToken(undefined);
    await asked;
    answer();
    expect(await refreshed).toBe(true);
    before.answer();
    await left;
    expect(accessToken()).toBe('new');
  });

  it.each([
    ['was refused', () => HttpResponse.json({ message: 'expired' }, { status: 403 })],
    ['got no answer', () => HttpResponse.error()],
  ])('never leads to a write in the name of the new one: the first %s', async (_, answer) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const seen: (string | null)[] = [];
    server.use(
      http.put(at('/v1/products/p1/toggle-status'), ({ request }) => {
        seen.push(request.headers.get('Authorization'));
        setAccessToken('of another account');
        return seen.length === 1 ? answer() : HttpResponse.json({ success: true });
      }),
    );
    setAccessToken('old');
    const failed = call('toggleProductStatus', { params: { id: 'p1' } }).catch(() => {});
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await failed;
    expect(seen).toEqual(['Bearer old']);
  });
});

describe('a click', () => {
  it('keeps its key through a lost answer and a refresh', async () => {
    vi.useFakeTimers();
    const keys: (string | null)[] = [];
    server.use(
      http.put(at('/v1/products/p1/toggle-status'), ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        if (keys.length === 1) return HttpResponse.error();
        if (keys.length === 2)
          return HttpResponse.json({ success: false, message: 'expired' }, { status: 403 });
        return HttpResponse.json({ success: true });
      }),
      http.get(at('/v1/refresh-token'), () => HttpResponse.json({ accessToken: 'new' })),
    );
    setAccessToken('old');
    const toggled = call('toggleProductStatus', { params: { id: 'p1' } });
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), 10_000);
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    await expect(toggled).resolves.toEqual({ success: true });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it.each([false, true])(
    'says whether an answer was lost before it failed: %s',
    async (isRepeat) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      let sent = 0;
      server.use(
        http.put(at('/v1/products/p1/toggle-status'), () => {
          sent += 1;
          if (isRepeat && sent === 1) return HttpResponse.error();
          return HttpResponse.json({}, { status: 429 });
        }),
      );
      const failed = call('toggleProductStatus', { params: { id: 'p1' } }).catch((error) => error);
      if (isRepeat) await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), 10_000);
      await vi.advanceTimersByTimeAsync(1_000);
      vi.useRealTimers();
      expect(await failed).toMatchObject({ status: 429, isRepeat });
    },
  );

  it('has a key of its own each time', async () => {
    const keys = new Set<string | null>();
    server.use(
      http.put(at('/v1/products/p1/toggle-status'), ({ request }) => {
        keys.add(request.headers.get('Idempotency-Key'));
        return HttpResponse.json({});
      }),
    );
    await call('toggleProductStatus', { params: { id: 'p1' } });
    await call('toggleProductStatus', { params: { id: 'p1' } });
    expect(keys.size).toBe(2);
  });
});

it('encodes the open segments of its path, and leaves what is not set out of its query', async () => {
  const seen: string[] = [];
  server.use(
    http.get(at('/v1/stores/:name'), ({ request }) => {
      seen.push(request.url);
      return HttpResponse.json({});
    }),
    http.get(at('/v1/products/search'), ({ request }) => {
      seen.push(request.url);
      return HttpResponse.json({});
    }),
  );
  await call('getStore', { params: { name: 'Musa & Sons/Watches' } });
  await call('searchProducts', { query: { query: 'leather bag', limit: 24, cursor: undefined } });
  expect(seen).toEqual([
    at('/v1/stores/Musa%20%26%20Sons%2FWatches'),
    at('/v1/products/search?query=leather+bag&limit=24'),
  ]);
});
