import type { TimelineEntry, Transaction } from '@oja/contracts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Client } from '../support/client.js';
import { type Market, runOja, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';

const HEAD_ADMIN = 'Adunni Textiles';
const SAMPLE_PASSWORD = 'market-day';

const folder = temporaryFolder();
let market: Market;

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
});

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

it('a sample order that is disputed can be paid back, as far as the provider has it done', async () => {
  const env = { DATA_DIR: folder.path, PORT: new URL(market.url).port };
  expect(await runOja(['admin', 'grant', HEAD_ADMIN], env).exited).toBe(0);
  const admin = new Client(market.url);
  const login = { businessName: HEAD_ADMIN, password: SAMPLE_PASSWORD };
  const signedIn = await admin.call<{ accessToken: string }>(200, 'POST', '/v1/login', login);
  admin.token = signedIn.accessToken;

  const { result } = await admin.get<{ result: Transaction[] }>('/v1/buyers/transactions');
  const disputed = result.find(({ recieved }) => recieved === 'DISPUTED');
  if (disputed === undefined) throw new Error('no sample order is disputed');
  const id = disputed.transaction_id;
  const path = `/v1/transactions/${id}`;
  for (const { user_id: sellerId, status } of disputed.shares)
    if (status === 'disputed')
      await admin.call(200, 'POST', `${path}/resolve`, { sellerId, outcome: 'refund' });

  await vi.waitFor(async () => {
    const told = await admin.get<{ result: TimelineEntry[] }>(`/v1/timeline/transaction/${id}`);
    const types = told.result.map(({ type }) => type);
    expect(types).toContain('RefundCompleted');
    expect(types).not.toContain('RefundFailed');
  }, 30_000);
});
