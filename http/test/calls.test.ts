import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { createMemoryState, createMemoryStateData } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { at, type Harness, memoryLogger, startHarness } from './harness.js';

let market: Harness;
beforeAll(async () => {
  market = await startHarness();
});
afterAll(() => market.close());

const good = { name: 'A shoe', price: 100 };

describe('a call that is not for you', () => {
  it('asks whoever has no token to log in', async () => {
    const answer = await market.call('POST', '/v1/make', { body: good });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ success: false, message: 'Please log in' });
  });

  it('says what is wrong with a token, so that it can be renewed', async () => {
    const answer = await market.call('POST', '/v1/make', { body: good, as: 'expired' });
    expect([answer.status, (await answer.json()).message]).toEqual([
      403,
      'Your session has expired',
    ]);
  });

  it('refuses those whose role is too low, before it reads anything', async () => {
    expect((await market.call('GET', '/v1/admins', { as: 'ada' })).status).toBe(403);
    expect((await market.call('GET', '/v1/admins', { as: 'admin' })).status).toBe(200);
  });

  it('shows what anyone may see to a token that is no good', async () => {
    expect((await market.call('GET', '/v1/list', { as: 'expired' })).status).toBe(200);
  });
});

describe('rights', () => {
  it('are judged once more when the body has taken long to come', async () => {
    let judged = 0;
    let isSuspended = false;
    const own = await startHarness({
      isRefused: () => {
        judged += 1;
        return isSuspended;
      },
    });
    const body = JSON.stringify(good);
    const sent = request(`${own.url}/v1/make`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer ada',
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      },
    });
    const answered = once(sent, 'response');
    sent.write(body.slice(0, 5));
    await expect.poll(() => judged).toBe(1);
    isSuspended = true;
    own.clock.time += 2_000;
    sent.end(body.slice(5));
    const [answer] = await answered;
    answer.resume();
    await own.close();
    expect([answer.statusCode, own.ran.make]).toEqual([403, undefined]);
  });
});

describe('a body', () => {
  const make = (body: unknown, headers: Record<string, string> = {}) =>
    market.call('POST', '/v1/make', { body, headers, as: 'ada' });
  const errorsOf = async (body: unknown) => (await (await make(body)).json()).errors;

  it('is named field by field where it is wrong', async () => {
    expect(await errorsOf({})).toEqual({ name: 'is required', price: 'is required' });
    expect(await errorsOf({ name: 'x', price: 'y' })).toEqual({
      name: 'minimum of 6 characters',
      price: 'must be a number',
    });
    expect(await errorsOf({ ...good, price: 1.5 })).toEqual({ price: 'must be a whole number' });
    expect(await errorsOf({ ...good, price: 0 })).toEqual({ price: 'must be at least 1' });
    expect(await errorsOf({ ...good, flag: 2 })).toEqual({ flag: 'must be 0 or 1' });
    expect(await errorsOf({ ...good, state: 'Broken' })).toEqual({
      state: 'must be New or Used',
    });
    expect(await errorsOf({ ...good, name: 'n'.repeat(41) })).toEqual({
      name: 'must have at most 40 characters',
    });
    expect(await errorsOf({ ...good, tags: [] })).toEqual({ tags: 'must not be empty' });
    expect(await errorsOf({ ...good, tags: [{ word: 1, other: 1 }] })).toEqual({
      'tags.0.word': 'must be text',
      'tags.0.other': 'is not a known field',
    });
  });

  it('refuses a field nobody knows by its name, in the message too', async () => {
    const answer = await make({ ...good, colour: 'red' });
    expect(answer.status).toBe(400);
    expect((await answer.json()).message).toBe('colour is not a known field');
  });

  it.each([['[]'], ['"text"'], ['7'], ['null']])('must be an object, not %s', async (body) => {
    const answer = await make(body);
    expect([answer.status, (await answer.json()).errors]).toEqual([
      400,
      { body: 'must be an object' },
    ]);
  });

  it('names what is missing when there is none at all', async () => {
    expect(await errorsOf(undefined)).toEqual({ name: 'is required', price: 'is required' });
  });

  it('is JSON or refused with what to do', async () => {
    const plain = await make('name=shoe', { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(plain.status).toBe(415);
    expect((await plain.json()).message).toContain('application/json');
    for (const text of ['{', '{"a":}', '\u0000', '{"name":"\ud800']) {
      const answer = await make(text);
      expect(answer.status).toBe(400);
    }
    const utf16 = await make(good, { 'Content-Type': 'application/json; charset=utf-16' });
    expect(utf16.status).toBe(415);
    const packed = await make(good, {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    });
    expect(packed.status).toBe(415);
  });

  it('carries no keys that change what an object is, and no endless nesting', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const answer = await make(`{"name":"A shoe","price":1,"deep":{"${key}":{}}}`);
      expect([answer.status, (await answer.json()).message]).toEqual([
        400,
        expect.stringContaining(key),
      ]);
    }
    expect((await make(`{"tags":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).status).toBe(400);
  });

  it.each([65_000, 200_000, 3_000_000, 6_000_000])(
    'of %i characters too many is refused',
    async (n) => {
      const body = JSON.stringify({ name: 'n'.repeat(n + 1_000), price: 1 });
      const answer = await make(body).catch(() => null);
      // Beyond what is listened to, the connection may break before the answer is read.
      if (answer === null) return expect(n).toBeGreaterThan(4_000_000);
      expect(answer.status).toBe(413);
      return expect((await answer.json()).message).toContain('at most 64 KB');
    },
  );

  it('that comes too slowly is refused, by whoever may send it again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const socket = connect(market.port, '127.0.0.1');
      const head = 'POST /v1/hook HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';
      socket.write(`${head}some`);
      const answered = once(socket, 'data');
      // One for the body and one for the answer.
      await expect.poll(() => vi.getTimerCount()).toBe(2);
      await vi.advanceTimersByTimeAsync(120_000);
      expect(String(await answered)).toMatch(/^HTTP\/1\.1 408 .*Connection: close/is);
      socket.destroy();
    } finally {
      vi.useRealTimers();
    }
  });

  it('may be left out or empty where a call has none, but says nothing', async () => {
    const toggle = (body?: unknown) => market.call('PUT', '/v1/toggle', { as: 'ada', body });
    expect((await toggle()).status).toBe(201);
    expect((await toggle({})).status).toBe(201);
    const answer = await toggle({ force: true });
    expect([answer.status, (await answer.json()).errors]).toEqual([
      400,
      { force: 'is not a known field' },
    ]);
  });

  it('comes raw where a call wants it raw', async () => {
    const answer = await market.call('POST', '/v1/hook', { body: '{ "a" : 1 }' });
    expect(await answer.json()).toEqual({ bytes: 11 });
  });
});

describe('a query', () => {
  it('is parsed; what nobody knows is ignored and of two the last counts', async () => {
    const answer = await market.call('GET', '/v1/list?limit=9&limit=2&__proto__=1&x=%E0%A4%A');
    expect((await answer.json()).items).toHaveLength(2);
  });

  it('is named where it is wrong', async () => {
    const answer = await market.call('GET', '/v1/list?limit=ten');
    expect([answer.status, (await answer.json()).errors]).toEqual([
      400,
      { limit: 'must be a number' },
    ]);
  });
});

describe('an address', () => {
  it('that no call has is 404, one with another method 405, both in JSON', async () => {
    expect((await market.call('GET', '/v1/nothing')).status).toBe(404);
    const answer = await market.call('DELETE', '/v1/make');
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
    expect(await answer.json()).toMatchObject({ success: false });
    expect((await market.call('GET', '/elsewhere')).status).toBe(404);
  });

  it('answers HEAD as GET without the body', async () => {
    const answer = await market.call('HEAD', '/v1/list');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

describe('other websites', () => {
  const login = (headers: Record<string, string>) => market.call('POST', '/v1/login', { headers });

  it.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://localhost:9999' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
  ])('are refused (%o)', async (headers) => {
    const answer = await login(headers);
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'foreign_origin']);
    expect((await market.call('GET', '/v1/whoami', { headers })).status).toBe(403);
    expect((await market.call('PUT', '/v1/toggle', { headers, as: 'ada' })).status).toBe(403);
  });

  it('are told from our own pages and from programs', async () => {
    expect((await login({})).status).toBe(200);
    const own = { Origin: 'http://localhost:8080', 'Sec-Fetch-Site': 'same-origin' };
    expect((await login(own)).status).toBe(200);
    const reading = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await market.call('GET', '/v1/list', { headers: reading })).status).toBe(200);
  });
});

describe('cookies', () => {
  it('have a plain name on http://localhost, and no script reads them', async () => {
    const answer = await market.call('POST', '/v1/login');
    expect(answer.headers.getSetCookie()).toEqual([
      'refresh=abc.def; Path=/; HttpOnly; SameSite=Strict; Max-Age=60',
    ]);
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store');
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    const headers = { Cookie: 'other=1; refresh=abc.def' };
    const back = await market.call('GET', '/v1/whoami', { headers });
    expect(await back.json()).toEqual({ cookie: 'abc.def' });
  });

  it('belong to one host over https', async () => {
    const secure = await startHarness({ publicUrl: 'https://oja.example' });
    const answer = await secure.call('POST', '/v1/login');
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-refresh=abc\.def; .*; Secure;/);
    expect(answer.headers.get('Strict-Transport-Security')).toContain('max-age=');
    const plain = { Cookie: 'refresh=planted' };
    const back = await secure.call('GET', '/v1/whoami', { headers: plain });
    expect(await back.json()).toEqual({ cookie: null });
    await secure.close();
  });
});

describe('a client that has left while its request waited', () => {
  it('is known to have left when the work begins', async () => {
    const leaving = new AbortController();
    const closed = new EventEmitter();
    const noted = once(closed, 'request');
    const handled = once(closed, 'handled');
    const logger = memoryLogger();
    const state = createMemoryState(createMemoryStateData());
    const slow = await startHarness({
      // Its line is written when its connection is closed.
      logsTo: { ...logger, info: (_, message) => void closed.emit(message) },
      rateRules: { secretly: { name: 'secretly', limit: 9, windowMs: 1_000 } },
      state: {
        ...state,
        async get(space, key, now) {
          leaving.abort();
          await noted;
          return state.get(space, key, now);
        },
      },
      handlers: {
        secretly: ({ commandId, disconnected }) => {
          closed.emit('handled', disconnected.aborted);
          return { status: 201, body: { success: true, commandId, by: 'anyone' } };
        },
      },
    });
    const { signal } = leaving;
    await fetch(`${slow.url}/v1/secretly`, { method: 'POST', signal }).catch(() => undefined);
    expect(await handled).toEqual([true]);
    await slow.close();
  });
});

describe('a position', () => {
  const read = (token: string) =>
    market.call('GET', '/v1/list?limit=1', { headers: { 'Oja-Position': token } });

  it('of the last event written goes with the answer', async () => {
    const answer = await market.call('POST', '/v1/make', { body: good, as: 'ada' });
    expect(answer.headers.get('Oja-Position')).toBe(`log-1.${at(7)}`);
    expect(answer.headers.get('X-Made')).toBe('yes');
  });

  it('that was passed is not waited for; one that was not is, and said to be stale', async () => {
    market.waits.length = 0;
    expect((await read(`log-1.${at(5)}`)).headers.get('Oja-Stale')).toBeNull();
    expect(market.waits).toEqual([0]);
    expect((await read(`log-1.${at(9)}`)).headers.get('Oja-Stale')).toBe('true');
    expect(market.waits).toEqual([0, 0, 2_000]);
  });

  it('of another log, beyond the head, or made up, is ignored', async () => {
    for (const token of [`log-2.${at(9)}`, `log-1.${at(11)}`, 'log-1.9', 'nonsense', '.']) {
      market.waits.length = 0;
      const answer = await read(token);
      expect([answer.status, answer.headers.get('Oja-Stale')]).toEqual([200, null]);
      expect(market.waits).not.toContain(2_000);
    }
  });
});
