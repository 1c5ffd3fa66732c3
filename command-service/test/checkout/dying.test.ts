import { randomUUID } from 'node:crypto';
import { createCommandHandler, createSealer } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkoutHandlers, verifyPayment } from '../../src/checkout/index.js';
import type { Deps } from '../../src/deps.js';
import { aBuyer, addressOf, type Market, openMarket } from './market.js';

class Killed extends Error {}

let market: Market;
beforeEach(async () => {
  market = await openMarket();
});
afterEach(() => market.close());

/** Dependencies with which the process dies at its nth call to an engine: before the call takes effect or after. */
function dyingAt(step: number, when: 'before' | 'after'): Deps {
  const { eventStore, keys, payments, state, clock } = market.deps;
  let steps = 0;
  const dies = <T extends object>(engine: T): T =>
    new Proxy(engine, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          steps += 1;
          if (steps > step || (steps === step && when === 'before')) throw new Killed();
          const result: unknown = Reflect.apply(member, target, given);
          if (steps < step || !(result instanceof Promise)) return result;
          return result.then(() => {
            throw new Killed();
          });
        };
      },
    });
  const log = dies(eventStore);
  const { handle, load } = createCommandHandler(log, { clock: clock.now });
  const dyingKeys = dies(keys);
  return {
    ...market.deps,
    eventStore: log,
    handle,
    load,
    keys: dyingKeys,
    sealer: createSealer(dyingKeys),
    payments: dies(payments),
    state: dies(state),
  };
}

/** Lets `run` die at step 1, 2, … until a run survives. Returns the number of runs that died. */
async function dieEverywhere(run: (step: number) => Promise<void>): Promise<number> {
  for (let step = 1; ; step += 1) {
    try {
      await run(step);
      return step - 1;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}

const requestOf = (commandId: string) => ({
  body: {
    ...aBuyer,
    amount: 11_500,
    buyerItems: [{ product_id: 'bag', user_id: 'ada', quantity: 1 }],
  },
  params: undefined,
  query: undefined,
  actor: null,
  tokenFailure: null,
  commandId,
  correlationId: commandId,
  clientAddress: '127.0.0.1',
  disconnected: new AbortController().signal,
  position: null,
  cookie: () => undefined,
  header: () => undefined,
});

describe.each(['before', 'after'] as const)('a process killed %s any step', (when) => {
  it('of placing an order leaves one order that can be paid once', async () => {
    const commands: string[] = [];
    const deaths = await dieEverywhere(async (step) => {
      const commandId = randomUUID();
      commands.push(commandId);
      const { initializeTransaction } = checkoutHandlers(dyingAt(step, when));
      await initializeTransaction(requestOf(commandId));
    });
    expect(deaths).toBeGreaterThan(6);
    for (const commandId of commands) {
      const { initializeTransaction } = checkoutHandlers(market.deps);
      const answer = await initializeTransaction(requestOf(commandId));
      if (!('body' in answer)) throw new Error('it cannot be paid');
      const { transactionId } = answer.body;
      const [id = ''] = transactionId.split('.');
      const body = { ...answer.body };
      await market.press(addressOf({ status: 200, body, headers: new Headers() }), 'pay');
      await market.sweep();
      const { reference } = answer.body.data.data;
      expect((await market.verify(String(reference))).body.ok).toBe(true);
      expect(await market.story(id)).toEqual([
        'OrderPlaced',
        'PaymentInitialized',
        'PaymentVerified',
      ]);
    }
    expect(await market.orders()).toBe(commands.length);
  });

  it('of verifying a payment records it once', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    const deaths = await dieEverywhere(async (step) => {
      const verification = await verifyPayment(dyingAt(step, when), order.reference, 'return');
      expect(verification.kind).toBe('answered');
    });
    expect(deaths).toBeGreaterThan(1);
    expect((await market.verify(order.reference)).body.ok).toBe(true);
    expect(await market.story(order.id)).toEqual([
      'OrderPlaced',
      'PaymentInitialized',
      'PaymentVerified',
    ]);
  });
});

it('gives an order that two processes place at once under one key to the buyer who is in it alone', async () => {
  const commandId = randomUUID();
  const request = requestOf(commandId);
  const other = { ...request, body: { ...request.body, full_name: 'Somebody Else' } };
  const answers = await Promise.all(
    [request, other].map((each) => checkoutHandlers(market.deps).initializeTransaction(each)),
  );
  expect(answers.filter((answer) => 'body' in answer)).toHaveLength(1);
  expect(answers.filter((answer) => 'failed' in answer)).toMatchObject([
    { failed: { status: 422, code: 'idempotency_key_reused' } },
  ]);
});
