import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raw } from './images.bytes.js';
import { type HostUnderTest, startImageHost } from './images.fixture.js';
import { photo } from './images.js';

let under: HostUnderTest;
beforeAll(async () => {
  under = await startImageHost();
});
afterAll(() => under.close());

describe('a picture', () => {
  let address: string;
  beforeAll(async () => {
    address = await under.images.upload(await photo(900, 1500), 'bag.jpg');
  });

  test('is kept by browsers for good', async () => {
    const response = await fetch(address);
    await response.arrayBuffer();
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const etag = response.headers.get('etag') ?? '';
    const { pathname } = new URL(address);
    const again = await raw(under.url, [
      `GET ${pathname} HTTP/1.1\r\nHost: x\r\n`,
      `If-None-Match: ${etag}\r\nConnection: close\r\n\r\n`,
    ]);
    expect(again).toMatch(/^HTTP\/1\.1 304 /);
    const head = await fetch(address, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(response.headers.get('content-length'));
  });

  test.each([
    [320, 320],
    [640, 640],
    [1280, 1280],
  ])('comes %i wide as WebP, also when many ask first', async (asked, width) => {
    const views = Array.from({ length: 8 }, () => fetch(`${address}?w=${asked}`));
    for (const response of await Promise.all(views)) {
      expect(response.headers.get('content-type')).toBe('image/webp');
      const seen = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect(seen).toMatchObject({ format: 'webp', width });
    }
  });

  test('is never made wider than it is', async () => {
    const small = await under.images.upload(await photo(30, 40), 'bag.jpg');
    const response = await fetch(`${small}?w=320`);
    const seen = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect(seen.width).toBe(40);
  });

  test('comes as it is where it is small enough, and not encoded a second time', async () => {
    const small = await under.images.upload(await photo(640, 480, 'webp'), 'bag.webp');
    const bytesAt = async (query: string) =>
      Buffer.from(await (await fetch(small + query)).arrayBuffer());
    const original = await bytesAt('');
    expect((await bytesAt('?w=640')).equals(original)).toBe(true);
    expect((await bytesAt('?w=320')).length).toBeLessThan(original.length);
  });

  test('comes narrower than asked for where WebP cannot be as high as it is', async () => {
    const long = await under.images.upload(await photo(21_000, 400), 'receipt.jpg');
    const response = await fetch(`${long}?w=320`);
    const seen = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect(seen).toMatchObject({ format: 'webp', width: 312, height: 16_383 });
  });

  test.each(['0', '321', '99999', '320.0', '-320', 'a', ''])('does not come %s wide', async (w) => {
    const response = await fetch(`${address}?w=${w}`);
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test.each(['[', 'a b', '', 'x:y'])('comes to who calls the host %j', async (host) => {
    const { pathname } = new URL(address);
    const answer = await raw(under.url, [
      `HEAD ${pathname}?w=320 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    '/v1/image/nobody-has-this.jpg',
    '/v1/image/..%2f..%2fetc%2fpasswd',
    '/v1/image/../../package.json',
    '/v1/image/....//x.jpg',
    '/v1/image/.jpg',
    '/v1/image/a.jpg%00.png',
    '/v1/image/originals/a.jpg',
    '/v1/image/a.jpg.part',
    '/v1/image/%',
    '/v1/image/',
  ])('is not found at %s', async (path) => {
    const answer = await raw(under.url, [
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });
});
