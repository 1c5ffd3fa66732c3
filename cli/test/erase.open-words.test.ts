import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Client } from '../../test/support/client.js';
import { oja, ojaJson } from './support/oja.js';
import { useSampleMarket } from './support/sample.js';

const market = useSampleMarket();

const erase = (...args: string[]) => oja(market.dataDir, ['erase', ...args, '--yes', '--json']);

/** Writes to the support under this subject; returns the message's id. */
async function write(subject: string): Promise<string> {
  const email = `${subject.toLowerCase()}@writer.example`;
  await new Client(market.url).call(200, 'POST', '/v1/email/sendEmail', {
    name: 'Hadiza Writer',
    email,
    subject,
    message: 'Where are my goods?',
  });
  const { lines } = await oja(market.dataDir, ['events', 'tail', '-n', '3', '--json']);
  const events = lines.map((line) => JSON.parse(line));
  return events.findLast(({ type }) => type === 'ContactMessageReceived').data.contactId;
}

it('calls a person erased whose own words the log says openly of others, and names which', async () => {
  // As in DeliveryConfirmed.
  const { code, lines } = await erase('--contact', await write('Delivery'));
  expect(JSON.parse(lines.join(''))).toMatchObject({
    ok: true,
    found: [],
    openly: ['subject'],
  });
  expect(code).toBe(0);
});

it('still finds what else is left of such a person', async () => {
  const id = await write('Complaint');
  const left = join(market.dataDir, 'left.txt');
  writeFileSync(left, 'complaint@writer.example');
  const { code, lines } = await erase('--contact', id);
  rmSync(left);
  expect(JSON.parse(lines.join(''))).toMatchObject({
    ok: false,
    found: [{ file: 'left.txt', field: 'email' }],
  });
  expect(code).toBe(1);
});

it('erases a seller who trades under their own name, which then is free', async () => {
  const name = 'Tolulope Onome';
  await new Client(market.url).call(201, 'POST', '/v1/register', {
    name,
    businessName: name,
    phone_1: '07000000002',
    password: 'a long enough secret',
  });
  const proof = await ojaJson(market.dataDir, ['erase', '--seller', name, '--yes']);
  expect(proof).toMatchObject({ ok: true, found: [], openly: ['name'] });
  expect(await erase('--seller', name)).toMatchObject({ code: 2 });
});
