import { createImages } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostUnderTest, startImageHost } from './images.fixture.js';
import { imagesContract } from './images.js';

let under: HostUnderTest;
beforeAll(async () => {
  under = await startImageHost();
});
afterAll(() => under.close());

imagesContract('Oja’s own host', () => under.images, [
  '',
  'bag.jpg',
  'https://example.com/v1/image/bag.jpg',
  '/v1/image/bag.jpg',
]);

test.each([
  ['another folder', '/v1/images/bag.jpg'],
  ['a step upwards', '/v1/image/../secrets.json'],
  ['an escaped step upwards', '/v1/image/..%2fsecrets.json'],
  ['a query', '/v1/image/bag.jpg?w=320'],
  ['a host that begins like ours', '.example.com/v1/image/bag.jpg'],
  ['a name within an address', '@example.com/v1/image/bag.jpg'],
])('an address with %s is not ours', (_, rest) => {
  expect(under.images.reference(`${under.url}${rest}`)).toBeNull();
});

describe('addresses of Cloudinary', () => {
  const uploadUrl = 'https://api.cloudinary.com/v1_1/oja-market/image/upload';
  const cloudinary = { uploadUrl, uploadPreset: 'goods' };
  const images = createImages({ publicUrl: 'https://oja.example', cloudinary });
  const home = 'https://res.cloudinary.com/oja-market/image/upload/';

  test('are kept whole', () => {
    const address = `${home}v1736067600/goods/bag_1.jpg`;
    expect(images.reference(address)).toBe(address);
    expect(images.address(address)).toBe(address);
    expect(images).toMatchObject(cloudinary);
  });

  test('stand beside pictures that were stored on our own host before', () => {
    const address = 'https://oja.example/v1/image/0a1b.jpg';
    expect(images.address('0a1b.jpg')).toBe(address);
    expect(images.reference(address)).toBe('0a1b.jpg');
  });

  test.each([
    'https://res.cloudinary.com/somebody-else/image/upload/v1/bag.jpg',
    'https://res.cloudinary.com/oja-market/image/upload/w_9,h_9/v1/bag.jpg',
    'http://res.cloudinary.com/oja-market/image/upload/v1/bag.jpg',
    'https://res.cloudinary.com.evil.example/oja-market/image/upload/v1/bag.jpg',
    `${home}../../../somebody-else/image/upload/bag.jpg`,
    `${home}v1/bag.jpg?next=https://evil.example`,
    `${home}v1/bag.jpg#here`,
    `${home}v1/"><script>.jpg`,
    `${home}${'a'.repeat(500)}.jpg`,
    home,
  ])('%s is not one of this market', (address) => {
    expect(images.reference(address)).toBeNull();
  });
});
