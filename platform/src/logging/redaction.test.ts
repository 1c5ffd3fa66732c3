import { describe, expect, it } from 'vitest';
import { redact, redactText } from './redaction.js';

const order = '0190a1b2-0000-7000-8000-0123456789ab.AbCdEfGhIjKlMnOpQrStUv';

describe('redaction', () => {
  it.each([
    'password',
    'accessToken',
    'refresh_token',
    'Authorization',
    'set-cookie',
    'Idempotency-Key',
    'transactionId',
    'full_name',
    'buyer_name',
    'email',
    'phone_1',
    'phone_number',
    'home_address',
    'account_number',
    'keysMasterKey',
    'endpoint',
  ])('never writes what is called %s, however deep it lies', (name) => {
    const line = JSON.stringify(redact({ a: [{ b: { [name]: 'Chidi Okafor' } }] }));
    expect(line).not.toContain('Chidi');
    expect(line).toContain('[redacted]');
  });

  it('finds secrets by their form in any text', () => {
    expect(redactText(`GET /v1/orders/${order}/problem`)).toBe('GET /v1/orders/[order]/problem');
    expect(redactText('Bearer abc.def and eyJhbGciOi.eyJzdWIi.c2ln')).toBe('[token] and [token]');
    expect(redactText('sent to ada@example.com, twice')).toBe('sent to [e-mail], twice');
    expect(redactText('mongodb://oja:pa55@db:27017/oja')).toBe(
      'mongodb://[credentials]@db:27017/oja',
    );
    for (const odd of ['p@ss', 'p/ss@', 'p#s?s', 'a@b.example'])
      expect(redactText(`smtp://mailer:${odd}@mail.example:587 failed`)).toBe(
        'smtp://[credentials]@mail.example:587 failed',
      );
    expect(redactText('with sk_live_0123abc')).toBe('with [secret]');
  });

  it('looks into errors and their causes', () => {
    const error = new Error('no letter to ada@example.com', { cause: new Error(order) });
    const line = JSON.stringify(redact({ err: error }));
    expect(line).toContain('no letter to [e-mail]');
    expect(line).not.toContain('AbCdEfGh');
  });

  it('keeps what helps and survives cycles, buffers and bigints', () => {
    const cycle: Record<string, unknown> = { position: '00000000000000000042', took: 3n };
    cycle.self = cycle;
    expect(redact({ status: 404, projection: 'catalogue', sellerId: 's-1' })).toEqual({
      status: 404,
      projection: 'catalogue',
      sellerId: 's-1',
    });
    expect(JSON.stringify(redact(cycle))).toContain('[deeper]');
    expect(redact({ body: Buffer.from('secret') })).toEqual({ body: '[bytes]' });
  });

  it.each([
    'x',
    '/',
    'eyJ',
    '-eyJ',
    'a.',
    '@a.',
    'a@',
    '//a@',
    'Bearer ',
    'Bearer\t',
    '0',
    'ab-',
    ' ',
  ])('a stranger’s long text of %j costs its length, not its square', (part) => {
    const text = part.repeat(160_000 / part.length);
    const before = process.cpuUsage();
    redactText(text);
    redactText(text.slice(0, 16_000));
    const { user, system } = process.cpuUsage(before);
    // Quadratic time would be seconds; linear time is a few milliseconds.
    expect((user + system) / 1_000).toBeLessThan(250);
  });

  it('a text of any length is cut', () => {
    expect(redactText('a b '.repeat(100_000)).length).toBeLessThan(20_000);
  });
});
