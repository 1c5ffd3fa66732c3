import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createLocalRateLimiter, createRateLimiter } from '@oja/http';
import { createMemoryState, createMemoryStateData } from '@oja/platform';
import { afterEach, describe, expect, it } from 'vitest';
import { type Harness, type HarnessOptions, startHarness } from './harness.js';

const started: Harness[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((harness) => harness.close()));
});
async function start(options: HarnessOptions = {}) {
  const harness = await startHarness(options);
  started.push(harness);
  return harness;
}

/** A promise that somebody opens. */
function gate() {
  const events = new EventEmitter();
  const passed = once(events, 'open');
  return { passed, open: () => events.emit('open') };
}

const KEY = { 'Idempotency-Key': '9d2ab1a4-0a52-4bfa-9d4f-5a3a1b2c3d4e' };
const good = { name: 'A shoe', price: 100 };
const uuid = (version: number) => new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}`);

describe('a repeated request', () => {
  it('is worked on once and answered alike, its position included', async () => {
    const market = await start();
    const make = () => market.call('POST', '/v1/make', { body: good, as: 'ada', headers: KEY });
    const [first, second] = [await make(), await make()];
    expect(market.ran.make).toBe(1);
    expect(second.status).toBe(201);
    expect(await second.text()).toBe(await first.text());
    for (const name of ['Oja-Position', 'X-Made']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
  });

  it('is a new one without a key, each with an id of its own', async () => {
    const market = await start();
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const answer = await market.call('PUT', '/v1/toggle', { as: 'ada' });
        return (await answer.json()).commandId as string;
      }),
    );
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids[0]).toMatch(uuid(7));
  });

  it('has the same command id on every machine, and another for another person or place', async () => {
    const [one, two] = [await start(), await start()];
    const idOf = async (market: Harness, as: string, path = '/v1/toggle') => {
      const answer = await market.call('PUT', path, { as, headers: KEY });
      return (await answer.json()).commandId as string;
    };
    const id = await idOf(one, 'ada');
    expect(id).toMatch(uuid(5));
    expect(await idOf(two, 'ada')).toBe(id);
    expect(await idOf(one, 'obi')).not.toBe(id);
    expect(await idOf(one, 'ada', '/v1/toggle?again=1')).not.toBe(id);
  });

  it('with another body is refused', async () => {
    const market = await start();
    const make = (body: unknown) =>
      market.call('POST', '/v1/make', { body, as: 'ada', headers: KEY });
    await make(good);
    const answer = await make({ ...good, price: 101 });
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'idempotency_key_reused']);
    expect(market.ran.make).toBe(1);
  });

  it('is known again under another secret while the one of then is its fallback', async () => {
    const state = createMemoryState(createMemoryStateData());
    const old = await start({ state });
    const rotated = await start({ state, secret: 'another secret', fallback: 'a secret' });
    const make = (market: Harness, body: unknown) =>
      market.call('POST', '/v1/make', { body, as: 'ada', headers: KEY });
    const first = await make(old, good);
    expect(await (await make(rotated, good)).text()).toBe(await first.text());
    expect(rotated.ran.make ?? 0).toBe(0);
    expect((await make(rotated, { ...good, price: 101 })).status).toBe(422);
  });

  it('is tried again when the first one failed', async () => {
    let works = false;
    const market = await start({
      handlers: {
        toggle: () =>
          works
            ? { status: 201, body: { success: true, commandId: 'c', by: 'ada' } }
            : { failed: { status: 409, message: 'not now' } },
        secretly: () => {
          if (!works) throw new Error('engine broken');
          return { status: 201, body: { success: true, commandId: 'c', by: 'ada' } };
        },
      },
    });
    const toggle = () => market.call('PUT', '/v1/toggle', { as: 'ada', headers: KEY });
    const secretly = () => market.call('POST', '/v1/secretly', { headers: KEY });
    expect([(await toggle()).status, (await secretly()).status]).toEqual([409, 500]);
    works = true;
    expect([(await toggle()).status, (await secretly()).status]).toEqual([201, 201]);
  });

  it('runs again where the answer is a secret, with the same command id', async () => {
    const market = await start();
    const ask = async () => (await market.call('POST', '/v1/secretly', { headers: KEY })).json();
    expect(await ask()).toEqual(await ask());
    expect(market.ran.secretly).toBe(2);
  });

  it('at the same moment waits for the first one', async () => {
    const released = gate();
    const running = gate();
    let times = 0;
    const market = await start({
      handlers: {
        toggle: async ({ commandId }) => {
          times += 1;
          running.open();
          await released.passed;
          return { status: 201, body: { success: true, commandId, by: 'ada' } };
        },
      },
    });
    const toggle = () => market.call('PUT', '/v1/toggle', { as: 'ada', headers: KEY });
    const first = toggle();
    await running.passed;
    const others = [toggle(), toggle()];
    released.open();
    const answers = await Promise.all([first, ...others]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(times).toBe(1);
  });

  it('goes ahead when the first one died on the way', async () => {
    const state = createMemoryState(createMemoryStateData());
    const market = await start({ state });
    const dying = await start({
      state,
      handlers: { toggle: () => new Promise<never>(() => undefined) },
    });
    const lost = dying.call('PUT', '/v1/toggle', { as: 'ada', headers: KEY }).catch(() => null);
    while ((await state.list('idempotency', '', 0)).length === 0) await setImmediate();
    await dying.close();
    await lost;
    market.clock.time += 16_000;
    const answer = await market.call('PUT', '/v1/toggle', { as: 'ada', headers: KEY });
    expect(answer.status).toBe(201);
  });

  it('is forgotten after a day', async () => {
    const market = await start();
    const toggle = () => market.call('PUT', '/v1/toggle', { as: 'ada', headers: KEY });
    await toggle();
    market.clock.time += 24 * 3_600_000 - 1;
    await toggle();
    expect(market.ran.toggle).toBe(1);
    market.clock.time += 2;
    await toggle();
    expect(market.ran.toggle).toBe(2);
  });

  it('leaves nothing readable behind', async () => {
    const market = await start();
    // A name that no digest can spell by chance.
    await market.call('POST', '/v1/make', { body: good, as: 'adaobi', headers: KEY });
    const stored = JSON.stringify(await market.state.list('idempotency', '', 0));
    for (const text of ['A shoe', 'adaobi', KEY['Idempotency-Key'], 'commandId']) {
      expect(stored).not.toContain(text);
    }
  });

  it('needs a key that can be seen', async () => {
    const market = await start();
    const headers = { 'Idempotency-Key': 'x'.repeat(201) };
    const answer = await market.call('PUT', '/v1/toggle', { as: 'ada', headers });
    expect([answer.status, (await answer.json()).message]).toEqual([
      400,
      expect.stringContaining('Idempotency-Key'),
    ]);
  });
});

describe('a limited call', () => {
  const rateRules = { toggle: { name: 'toggle', limit: 2, windowMs: 30_000 } };

  it('is refused with the seconds to wait, and opens again after them', async () => {
    const market = await start({ rateRules });
    const toggle = () => market.call('PUT', '/v1/toggle', { as: 'ada' });
    expect([(await toggle()).status, (await toggle()).status]).toEqual([201, 201]);
    market.clock.time += 10_500;
    const answer = await toggle();
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '20']);
    expect(await answer.json()).toMatchObject({ success: false });
    market.clock.time += 20_000;
    expect((await toggle()).status).toBe(201);
  });

  it('does not count what is wrong or answered again', async () => {
    const market = await start({ rateRules });
    const repeat = () => market.call('PUT', '/v1/toggle', { as: 'ada', headers: KEY });
    for (let i = 0; i < 4; i += 1) expect((await repeat()).status).toBe(201);
    const wrong = () => market.call('PUT', '/v1/toggle', { as: 'ada', body: { x: 1 } });
    for (let i = 0; i < 4; i += 1) expect((await wrong()).status).toBe(400);
    expect((await market.call('PUT', '/v1/toggle', { as: 'ada' })).status).toBe(201);
  });

  it('does not count what was not done, where its rule says so', async () => {
    const rule = { ...rateRules.toggle, limit: 1, countsOnlyDone: true } as const;
    const tries = [
      { failed: { status: 409, message: 'Not now' } },
      new Error('the log is away'),
      { status: 201, body: { success: true, commandId: 'c', by: 'ada' } },
    ] as const;
    const left = [...tries];
    const toggle = async () => {
      const next = left.shift();
      if (next === undefined || next instanceof Error) throw next;
      return next;
    };
    const market = await start({ rateRules: { toggle: rule }, handlers: { toggle } });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1)
      statuses.push((await market.call('PUT', '/v1/toggle', { as: 'ada' })).status);
    expect(statuses).toEqual([409, 500, 201, 429]);
  });

  it('that one rule refuses is not counted by the others', async () => {
    const own = { name: 'own', limit: 2, windowMs: 86_400_000, per: 'person' } as const;
    const ofAddress = { name: 'of-address', limit: 1, windowMs: 30_000 };
    const market = await start({
      rateRules: { toggle: [own, ofAddress] },
      trustedProxy: ['127.0.0.1'],
    });
    const toggle = async (as: string, address: string) =>
      (await market.call('PUT', '/v1/toggle', { as, headers: { 'X-Forwarded-For': address } }))
        .status;
    expect(await toggle('bisi', '203.0.113.5')).toBe(201);
    for (let i = 0; i < 3; i += 1) expect(await toggle('ada', '203.0.113.5')).toBe(429);
    const statuses = [];
    for (const address of ['203.0.113.6', '203.0.113.7', '203.0.113.8'])
      statuses.push(await toggle('ada', address));
    expect(statuses).toEqual([201, 201, 429]);
  });

  it('counts clients behind a trusted proxy one by one', async () => {
    const market = await start({ rateRules, trustedProxy: ['127.0.0.1'] });
    const from = async (address: string) => {
      const headers = { 'X-Forwarded-For': address };
      return (await market.call('PUT', '/v1/toggle', { as: 'ada', headers })).status;
    };
    expect([await from('9.9.9.9'), await from('9.9.9.9'), await from('9.9.9.9')]).toEqual([
      201, 201, 429,
    ]);
    expect(await from('1.1.1.1, 8.8.8.8')).toBe(201);
    expect(await from('8.8.8.8')).toBe(201);
    expect(await from('2.2.2.2, 8.8.8.8')).toBe(429);
    expect([
      await from('2001:db8::1'),
      await from('2001:db8::2'),
      await from('2001:db8::3'),
    ]).toEqual([201, 201, 429]);
  });

  it.each([
    ['in State', () => createRateLimiter(createMemoryState(createMemoryStateData()))],
    ['in memory', createLocalRateLimiter],
  ])('counts %s for no longer because the clock was set back', async (_, make) => {
    const limiter = make();
    const rule = { name: 'toggle', limit: 2, windowMs: 60_000 };
    const hour = 3_600_000;
    for (const time of [hour, hour + 1_000]) await limiter.hit(rule, 'ada', time);
    expect(await limiter.waitFor(rule, 'ada', hour + 2_000)).toBe(58);
    // Another process's clock may be behind by some seconds.
    expect(await limiter.hit(rule, 'ada', hour - 2_000)).toMatchObject({ allowed: false });
    expect(await limiter.waitFor(rule, 'ada', 0)).toBe(0);
    for (const time of [0, 0, 60_000, 60_000])
      expect(await limiter.hit(rule, 'ada', time)).toEqual({ allowed: true });
  });

  it('costs no more when more networks call at once than are kept', async () => {
    const limiter = createLocalRateLimiter();
    const rule = { name: 'read', limit: 2, windowMs: 60_000 };
    async function millisecondsFor(from: number, to: number): Promise<number> {
      const began = performance.now();
      for (let n = from; n < to; n += 1) await limiter.hit(rule, `network ${n}`, 0);
      return performance.now() - began;
    }
    const first = await millisecondsFor(0, 50_000);
    expect(await millisecondsFor(50_000, 80_000)).toBeLessThan(20 * first);
    expect(await limiter.hit(rule, 'network 79999', 0)).toMatchObject({ allowed: true });
    expect(await limiter.hit(rule, 'network 79999', 0)).toMatchObject({ allowed: false });
  });
});
