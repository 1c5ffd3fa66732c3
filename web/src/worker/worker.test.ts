import { describe, expect, it } from 'vitest';
import { isPicture, isPublicRead } from './cacheable.js';
import { pushText } from './push.js';

const at = (path: string) => new URL(path, location.href);
const reads = (path: string, init: RequestInit = {}) =>
  isPublicRead(at(path), new Request(at(path), init));

describe('what is kept for offline', () => {
  it.each([
    '/v1/products/search?query=bag',
    '/v1/products/by-ids?ids=1',
    '/v1/product/p1',
    '/v1/stores/Adunni',
    '/v1/comments',
    '/v1/ratings',
    '/v1/settings',
  ])('is the market: %s', (path) => expect(reads(path)).toBe(true));

  it.each([
    '/v1/orders/a.secret',
    '/v1/transaction/verify/r',
    '/v1/refresh-token',
    '/v1/user/products',
    '/v1/products/p1/images-of-mine',
  ])('is nobody’s own: %s', (path) => expect(reads(path)).toBe(false));

  it('is nothing that was asked for with a token, and no write', () => {
    expect(reads('/v1/product/p1', { headers: { Authorization: 'Bearer t' } })).toBe(false);
    expect(reads('/v1/product/p1', { method: 'DELETE' })).toBe(false);
  });

  it('is pictures of Oja’s own host only', () => {
    expect(isPicture(at('/v1/image/a.webp?w=320'))).toBe(true);
    expect(isPicture(new URL('https://elsewhere.example/v1/image/a.webp'))).toBe(false);
  });
});

describe('a push message', () => {
  it('says its message, or at least that something came', () => {
    expect(pushText({ json: () => ({ message: 'New order for:Bag' }) })).toBe('New order for:Bag');
    expect(pushText({ json: () => JSON.parse('{') })).toBe('New order');
    expect(pushText(null)).toBe('New order');
  });
});
