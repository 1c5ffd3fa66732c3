import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, createListener, createReadiness } from '@oja/http';
import {
  adoptPictures,
  createImages,
  createLogger,
  createMemoryState,
  createMemoryStateData,
  createMetrics,
  type State,
} from '@oja/platform';
import { afterEach, expect, it } from 'vitest';
import { picture } from '../../../test/support/pictures.js';
import { createPictureHost } from './pictures.js';

const HOUR = 3_600_000;
const logger = createLogger({ level: 'silent', service: 'market' });
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The picture host over HTTP, with State in memory. */
async function opened({ demo = false, of = (state: State): State => state } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'oja-picture-host-'));
  const state = of(createMemoryState(createMemoryStateData()));
  const clock = { time: Date.UTC(2026, 0, 5, 9), now: () => clock.time };
  const publicUrl = 'http://market.test';
  const app = createApp({
    logger,
    metrics: createMetrics(),
    readiness: createReadiness(),
    publicUrl,
    trustedProxy: ['127.0.0.1'],
  });
  const config = { dataDir, publicUrl, demo };
  const host = createPictureHost({ config, engines: { state }, clock, logger });
  app.use(host.upload);
  app.use(host.view);
  const listener = createListener(app, { port: 0, hosts: ['127.0.0.1'] });
  const listening = await listener.listen();
  if (!listening.ok) throw new Error(listening.message);
  closing.push(async () => {
    await listener.close(0);
    rmSync(dataDir, { recursive: true });
  });
  const origin = `http://127.0.0.1:${listening.port}`;
  const { uploadUrl, uploadPreset } = createImages({ publicUrl: origin });
  const bytes = new Uint8Array(await picture('#3a3'));
  const upload = (address = '203.0.113.1') => {
    const form = new FormData();
    form.set('upload_preset', uploadPreset);
    form.set('file', new Blob([bytes]), 'bag.jpg');
    const headers = { 'X-Forwarded-For': address };
    return fetch(uploadUrl, { method: 'POST', body: form, headers });
  };
  const uploaded = async () => {
    const { secure_url: url } = (await (await upload()).json()) as { secure_url: string };
    return url.split('/').at(-1) ?? '';
  };
  const isThere = async (name: string) => (await fetch(`${origin}/v1/image/${name}`)).ok;
  return { host, state, clock, upload, uploaded, isThere };
}

it('clears away the pictures that no product has taken within a day, and no others', async () => {
  const { host, state, clock, uploaded, isThere } = await opened();
  const [taken, left] = [await uploaded(), await uploaded()];
  await adoptPictures(state, [taken], clock.now());
  clock.time += 25 * HOUR;
  const young = await uploaded();
  await host.sweep();
  expect(await Promise.all([taken, left, young].map(isThere))).toEqual([true, false, true]);
});

it('clears nothing away while State does not say what products have', async () => {
  let isAway = false;
  const { host, clock, uploaded, isThere } = await opened({
    of: (state) => ({
      ...state,
      get(space, key, now) {
        if (isAway && space === 'image-adopted') throw new Error('the store is away');
        return state.get(space, key, now);
      },
    }),
  });
  const name = await uploaded();
  clock.time += 25 * HOUR;
  isAway = true;
  await host.sweep();
  expect(await isThere(name)).toBe(true);
  isAway = false;
  await host.sweep();
  expect(await isThere(name)).toBe(false);
});

it('takes sixty uploads an hour of an address, and in a demo as many as are sent', async () => {
  const [market, demo] = [await opened(), await opened({ demo: true })];
  for (let n = 0; n < 60; n += 1) {
    expect((await market.upload()).status).toBe(200);
    expect((await demo.upload()).status).toBe(200);
  }
  expect((await market.upload()).status).toBe(429);
  expect((await market.upload('203.0.113.2')).status).toBe(200);
  expect((await demo.upload()).status).toBe(200);
  market.clock.time += HOUR;
  expect((await market.upload()).status).toBe(200);
});
