import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { createMemoryState, createMemoryStateData, type State } from '@oja/platform';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LARGEST_FILE } from '../src/image-host/upload.js';
import { half, pixelFlood, raw } from './images.bytes.js';
import { formWith, type HostUnderTest, startImageHost } from './images.fixture.js';
import { photo } from './images.js';

let under: HostUnderTest;
beforeAll(async () => {
  under = await startImageHost();
});
afterAll(() => under.close());

describe('an upload', () => {
  test('is answered as Cloudinary does', async () => {
    const response = await under.send(formWith(await photo(80, 60)));
    expect(response.status).toBe(200);
    const answer = await response.json();
    expect(answer).toMatchObject({
      width: 60,
      height: 80,
      format: 'jpg',
      resource_type: 'image',
      original_filename: 'my bag',
    });
    expect(answer.secure_url).toBe(`${under.url}/v1/image/${answer.public_id}.jpg`);
    expect(answer.bytes).toBeGreaterThan(0);
  });

  test('may be as large as a picture may be, to the byte', async () => {
    const picture = await photo(40, 30);
    const padding = Buffer.alloc(LARGEST_FILE - picture.length);
    const response = await under.send(formWith(Buffer.concat([picture, padding])));
    expect(response.status).toBe(200);
  });

  test('loses EXIF and whatever hides behind the pixels', async () => {
    const hidden = Buffer.concat([await photo(40, 30), Buffer.from('<script>alert(1)</script>')]);
    const address = await under.images.upload(hidden, 'bag.jpg');
    const seen = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(seen.includes('Nsukka')).toBe(false);
    expect(seen.includes('<script>')).toBe(false);
    expect((await sharp(seen).metadata()).exif).toBeUndefined();
  });

  test.each<[string, () => Promise<FormData> | FormData, string]>([
    ['no preset', async () => formWith(await photo(8, 8), null), 'Upload preset must be specified'],
    ['a preset nobody made', async () => formWith(await photo(8, 8), 'x'), 'preset not found'],
    ['no file', () => formWith(null), 'Missing required parameter - file'],
    ['an empty file', () => formWith(Buffer.alloc(0)), 'Invalid image file'],
    ['a text', () => formWith(Buffer.from('hello')), 'Invalid image file'],
    ['an SVG', () => formWith(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'Invalid'],
    ['a GIF', () => formWith(Buffer.from('GIF89a\x01\x00\x01\x00')), 'Invalid image file'],
    ['only the head of a JPEG', () => formWith(Buffer.from('ffd8ffe0', 'hex')), 'Invalid image'],
    ['half a JPEG', async () => formWith(half(await photo(400, 300))), 'Invalid image file'],
    ['half a PNG', async () => formWith(half(await photo(400, 300, 'png'))), 'Invalid image file'],
    ['a flood of pixels', () => formWith(pixelFlood(50_000, 50_000)), 'Image is too large'],
    ['just too many pixels', () => formWith(pixelFlood(5_001, 5_000)), 'Image is too large'],
    ['a thread of pixels', () => formWith(pixelFlood(1, 65_536)), 'Image is too large'],
    ['one byte too many', () => formWith(Buffer.alloc(LARGEST_FILE + 1)), 'File size too large'],
    ['12 MB', () => formWith(Buffer.alloc(12_000_000)), 'File size too large'],
  ])('of %s is refused with a reason', async (_, form, message) => {
    const response = await under.send(await form());
    expect(response.status).toBe(400);
    expect(response.headers.get('x-cld-error')).toContain(message);
    expect((await response.json()).error.message).toContain(message);
  });

  test.each([
    ['JSON', { 'content-type': 'application/json' }, '{}'],
    ['multipart without a boundary', { 'content-type': 'multipart/form-data' }, 'x'],
    ['a form cut short', { 'content-type': 'multipart/form-data; boundary=b' }, '--b\r\nContent-'],
  ])('as %s is refused', async (_, headers, body) => {
    const url = `${under.url}/v1_1/oja/image/upload`;
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
  });

  test('is taken however long the address is counted before it is read', async () => {
    const state = createMemoryState(createMemoryStateData());
    const turns = async () => {
      for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const get: State['get'] = async (...asked) => {
      await turns();
      return state.get(...asked);
    };
    const slow = await startImageHost({ uploadsPerHour: 60, state: { ...state, get } });
    const picture = await photo(8, 8);
    for (let i = 0; i < 10; i += 1) {
      const response = await slow.send(formWith(picture));
      expect([response.status, response.headers.get('x-cld-error')]).toEqual([200, null]);
    }
    await slow.close();
  });

  test('that moves on by a byte now and then is cut off', async () => {
    const own = await startImageHost({ checkEveryMs: 100 });
    const { port } = new URL(own.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'POST /v1_1/oja/image/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n' +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n',
    );
    const trickle = setInterval(() => socket.write('x'), 10);
    socket.on('error', () => undefined);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    clearInterval(trickle);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
    await own.close();
  });

  test('that announces gigabytes is refused before it is read', async () => {
    const answer = await raw(under.url, [
      'POST /v1_1/oja/image/upload HTTP/1.1\r\nHost: x\r\n',
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000000\r\n\r\n',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('leaves no half-written files behind', async () => {
    await under.images.upload(await photo(8, 8), 'bag.jpg');
    const names = await readdir(`${under.dir}/originals`);
    expect(names.every((name) => /^[0-9a-f]{32}\.(jpg|png|webp)$/.test(name))).toBe(true);
  });
});
