import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Market, openMarket } from './support/market.js';

let market: Market;
beforeEach(async () => {
  market = await openMarket();
});
afterEach(() => market.close());

it('is ready once the read models it judges by have come as far as the log', async () => {
  await market.register('Ada Bags');
  expect(await market.service.ready()).toBe(false);
  const head = await market.deps.eventStore.head();
  await market.models.moveOn('catalogue', head);
  await market.models.moveOn('notifications', head);
  expect(await market.service.ready()).toBe(false);
  await market.models.moveOn('obligations', head);
  expect(await market.service.ready()).toBe(true);
  await market.register('Bisi Bags');
  expect(await market.service.ready()).toBe(true);
});

it('becomes ready while others write on, however far behind the read models stay', async () => {
  await market.register('Ada Bags');
  expect(await market.service.ready()).toBe(false);
  const head = await market.deps.eventStore.head();
  await market.register('Bisi Bags');
  for (const model of ['catalogue', 'notifications', 'obligations'] as const)
    await market.models.moveOn(model, head);
  expect(await market.service.ready()).toBe(true);
});
