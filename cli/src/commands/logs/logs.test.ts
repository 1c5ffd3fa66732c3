import { expect, it } from 'vitest';
import { type LogLine, logLineIn } from '../shared/log-line.js';
import { linesOf, linesOfTorn } from './index.js';

const ORDER = '5b1c6f0e-5a0c-4a57-9d55-6c0f6c7b1e2a';
const REQUEST = '01a20783-8261-76de-8e78-bf2a71ae4a91';

/** A line as the logger writes it. */
function line(fields: object): LogLine {
  const whole = { level: 'info', time: '2026-01-31T13:00:00.123Z', service: 'market', ...fields };
  const read = logLineIn(JSON.stringify(whole));
  if (read === null) throw new Error('the logger writes no such line');
  return read;
}

const request = line({
  msg: 'request',
  method: 'POST',
  route: '/v1/transaction/initialize',
  status: 200,
  ms: 12.3,
  order: ORDER,
  correlationId: REQUEST,
});
const failure = line({
  level: 'error',
  msg: 'request failed',
  err: { message: 'log.db\u001b[2J does not answer\nat all', cause: { message: 'ENOSPC' } },
  route: '/v1/orders/:orderKey/problem',
  tries: 3,
});

it('tells who, what and about what in one line where nobody watches', () => {
  const text = linesOf(request, null).join('\n');
  expect(text).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:00 info {2}POST \/v1\/transaction\/initialize answered 200 in 12.3 ms {2}order 5B1C6F0E {2}request 01a20783-8261-76de-8e78-bf2a71ae4a91$/,
  );
});

it('tells of an error why, and nothing that a terminal obeys', () => {
  const [text = '', ...more] = linesOf(failure, null);
  expect(more).toEqual([]);
  expect(text).toMatch(
    /error request failed: log\.db.* does not answer.at all: ENOSPC {2}tries 3$/,
  );
  expect(text).not.toMatch(/\p{Cc}/u);
  expect(linesOfTorn('half \u009b2J a li', null)).toEqual(['(torn) half \uFFFD2J a li']);
});

it('reads a line in which a field holds something else than usual', () => {
  const waits = line({ level: 'error', msg: 'a transfer waits', order: ORDER, status: 'otp' });
  expect(linesOf(waits, null).join()).toMatch(/error a transfer waits.* {2}order 5B1C6F0E/);
});

it.each([80, 40, 20])('fits %i columns', (width) => {
  const secured = line({
    msg: 'security: sign-in granted',
    log: 'security',
    actor: ORDER,
    from: '::1',
  });
  for (const each of [request, failure, secured]) {
    const lines = linesOf(each, width);
    expect(Math.max(...lines.slice(1).map((one) => one.length))).toBeLessThanOrEqual(width);
    if (width >= 40) expect(lines[0]?.length).toBeLessThanOrEqual(width);
  }
  expect(linesOf(request, width).join('').replace(/\s/g, '')).toContain(`request${REQUEST}`);
});
