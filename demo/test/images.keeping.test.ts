import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { adoptPictures, ConcurrencyLimiter, isAdopted } from '@oja/platform';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import type { ImageHostOptions } from '../src/image-host/index.js';
import { createPictureFiles, createPictures } from '../src/image-host/pictures.js';
import { LARGEST_FILE } from '../src/image-host/upload.js';
import { drawSample } from '../src/pictures/draw.js';
import { raw } from './images.bytes.js';
import { formWith, type HostUnderTest, startImageHost } from './images.fixture.js';
import { photo } from './images.js';

const HOUR = 60 * 60_000;

async function statusOf(address: string): Promise<number> {
  const response = await fetch(address);
  await response.arrayBuffer();
  return response.status;
}

describe('a host of its own', () => {
  let own: HostUnderTest;
  afterEach(() => own.close());

  test('takes so many uploads an hour of an address', async () => {
    const hits: string[] = [];
    const limited = (limit: string, address: string) => hits.push(`${limit} ${address}`);
    own = await startImageHost({ uploadsPerHour: 2, limited, addressOf: () => '203.0.113.9' });
    const send = async () => own.send(formWith(await photo(8, 8)));
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    own.pass(HOUR / 2);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1800');
    expect(hits).toEqual(['pictures 203.0.113.9']);
    own.pass(HOUR / 2);
    expect((await send()).status).toBe(200);
  });

  test('lets go of pictures that nothing uses after a day', async () => {
    own = await startImageHost();
    const [used, unused] = await Promise.all([
      own.images.upload(await photo(8, 8), 'a.jpg'),
      own.images.upload(await photo(8, 8), 'b.jpg'),
    ]);
    await statusOf(`${unused}?w=320`);
    await adoptPictures(own.state, [used.split('/').at(-1) ?? ''], own.now());
    const isUsed = (name: string) => isAdopted(own.state, name, own.now());
    own.pass(24 * HOUR);
    expect(await own.host.sweep(own.now(), isUsed)).toBe(0);
    const young = await own.images.upload(await photo(8, 8), 'c.jpg');
    own.pass(1);
    expect(await own.host.sweep(own.now(), isUsed)).toBe(1);
    expect(await statusOf(used)).toBe(200);
    expect(await statusOf(unused)).toBe(404);
    expect(await statusOf(`${unused}?w=320`)).toBe(404);
    expect(await statusOf(young)).toBe(200);
    own.pass(1000 * HOUR);
    expect(await own.host.sweep(own.now(), async () => true)).toBe(0);
    expect(await own.host.sweep(own.now(), async () => false)).toBe(0);
  });

  test('keeps nothing of a picture that is removed while somebody looks at it', async () => {
    own = await startImageHost();
    const address = await own.images.upload(await photo(8, 8), 'a.jpg');
    const name = address.split('/').at(-1) ?? '';
    const files = createPictureFiles(own.dir);
    const read = async (path: string) => {
      const bytes = await files.read(path);
      await files.remove(name);
      return bytes;
    };
    const pictures = createPictures({ ...files, read }, new ConcurrencyLimiter(1));
    expect(await pictures.find(name, 320)).toBeNull();
    expect(await statusOf(`${address}?w=320`)).toBe(404);
  });

  test('takes an upload while many wait for the pictures of a page', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    own = await startImageHost({
      drawMissing: async () => {
        await opened;
        return photo(8, 8, 'webp');
      },
    });
    const views = Array.from({ length: 40 }, (_, n) =>
      statusOf(`${own.url}/v1/image/sample-${n}.webp`),
    );
    expect((await own.send(formWith(await photo(8, 8)))).status).toBe(200);
    open();
    expect(new Set(await Promise.all(views))).toEqual(new Set([200]));
  });

  test('holds only so much of unfinished uploads in memory', async () => {
    const hits: string[] = [];
    const limited = (limit: string) => hits.push(limit);
    own = await startImageHost({ mostBytesHeld: 200_000, limited });
    const unfinished = connect(Number(new URL(own.url).port), '127.0.0.1');
    unfinished.write(
      'POST /v1_1/oja/image/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n' +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n',
    );
    unfinished.write(Buffer.alloc(199_000));
    const send = async () => (await own.send(formWith(Buffer.alloc(20_000)))).status;
    await expect.poll(send).toBe(429);
    expect(hits).toEqual(['pictures-at-once']);
    unfinished.destroy();
    await expect.poll(send).toBe(400);
  });

  /** Begins an upload of 20 MB from an address and sends this much of its picture. */
  function begun(bytes: number, from: string) {
    const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
    socket.write(
      `POST /v1_1/oja/image/upload HTTP/1.1\r\nHost: x\r\nX-From: ${from}\r\n` +
        'Content-Length: 20000000\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n',
    );
    socket.write(Buffer.alloc(bytes));
    return socket;
  }
  const sendFrom = async (from: string) => {
    const headers = { 'X-From': from };
    const body = formWith(Buffer.alloc(20_000));
    return (await fetch(`${own.url}/v1_1/oja/image/upload`, { method: 'POST', headers, body }))
      .status;
  };
  const addressOf: ImageHostOptions['addressOf'] = (ctx) => ctx.get('X-From');

  test('holds nothing of an upload that is too large any more, however long it goes on', async () => {
    const [mostBytesHeld, checkEveryMs] = [LARGEST_FILE + 10_000, HOUR];
    own = await startImageHost({ mostBytesHeld, checkEveryMs, addressOf });
    const endless = begun(LARGEST_FILE - 1_000, '203.0.113.1');
    await expect.poll(() => sendFrom('203.0.113.2')).toBe(429);
    endless.write(Buffer.alloc(100_000));
    await expect.poll(() => sendFrom('203.0.113.2')).toBe(400);
    endless.destroy();
  });

  test('leaves others room, however much one address sends at once', async () => {
    const [mostBytesHeld, mostBytesOfAddress] = [200_000, 100_000];
    own = await startImageHost({ mostBytesHeld, mostBytesOfAddress, addressOf });
    const many = [begun(45_000, '203.0.113.1'), begun(45_000, '203.0.113.1')];
    await expect.poll(() => sendFrom('203.0.113.1')).toBe(429);
    const more = begun(90_000, '203.0.113.1');
    expect(String(await once(more, 'data'))).toContain('429');
    expect(await sendFrom('203.0.113.2')).toBe(400);
    for (const socket of [...many, more]) socket.destroy();
    await expect.poll(() => sendFrom('203.0.113.1')).toBe(400);
  });

  test('does not count an upload that was cut off, or found no room', async () => {
    const from = '203.0.113.1';
    own = await startImageHost({ uploadsPerHour: 1, mostBytesHeld: 30_000, addressOf });
    const counted = async () =>
      (await own.state.get('image-uploads-by-address', from, own.now()))?.value.count;
    for (let tries = 0; tries < 3; tries += 1) {
      const phone = begun(1_000, from);
      await expect.poll(counted).toBe(1);
      phone.destroy();
      await expect.poll(counted).toBe(0);
    }
    const tooMuch = begun(40_000, from);
    expect(String(await once(tooMuch, 'data'))).toContain('429');
    tooMuch.destroy();
    expect([await sendFrom(from), await sendFrom(from)]).toEqual([400, 429]);
  });

  test('draws what is missing once, and keeps it', async () => {
    const drawn: string[] = [];
    const drawMissing = async (name: string) => {
      drawn.push(name);
      return name.startsWith('sample-') ? photo(700, 700, 'webp') : null;
    };
    own = await startImageHost({ drawMissing });
    const address = `${own.url}/v1/image/sample-bag-1.webp`;
    const views = ['', '?w=320', '?w=640', '', '?w=320'].map((query) => statusOf(address + query));
    expect(await Promise.all(views)).toEqual(views.map(() => 200));
    expect(await statusOf(`${own.url}/v1/image/other.webp`)).toBe(404);
    expect(await statusOf(address)).toBe(200);
    expect(drawn).toEqual(['sample-bag-1.webp', 'other.webp']);
  });

  test('has no sample picture on the disk before somebody looks at it', async () => {
    own = await startImageHost({ drawMissing: drawSample });
    const name = 'sample-phone-spark-navy-front-1.webp';
    const kept = () => readdirSync(own.dir, { recursive: true }).map(String).sort();
    expect(kept()).toEqual([]);
    const response = await fetch(`${own.url}/v1/image/${name}`);
    expect(response.status).toBe(200);
    const seen = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect(seen).toMatchObject({ format: 'webp', width: 640, height: 640 });
    expect(kept()).toEqual(['originals', join('originals', name)]);
    expect(await statusOf(`${own.url}/v1/image/sample-phone-spark-navy-front-9.webp`)).toBe(404);
    expect(kept()).toHaveLength(2);
  });

  test('gives up on an upload that stands still', async () => {
    own = await startImageHost({ checkEveryMs: 100 });
    const answer = await raw(own.url, [
      'POST /v1_1/oja/image/upload HTTP/1.1\r\nHost: x\r\n',
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9999\r\n\r\n--b\r\n',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('x-cld-error');
  });
});
