import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { transactionOfReference } from '@oja/domain/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transactionIdOf } from '../../src/checkout/order.js';
import { type Market, openMarket, SECRET } from './market.js';

const BUYER = fileURLToPath(new URL('./children/buyer.mjs', import.meta.url));

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.close());

interface Life {
  /** The command by which this life's buyer orders; null: nobody new comes. */
  readonly commandId: string | null;
  /** The order that the life before has left as it was when it was killed. */
  readonly unfinished: string | null;
  readonly door: 'return' | 'webhook' | 'check';
  /** From 1; null: it lives to its end. */
  readonly step: number | null;
  readonly when: 'before' | 'after';
}

/** A process of its own over the market's files; its steps, or null when it was killed. */
async function lived(life: Life): Promise<readonly string[] | null> {
  const { folder, publicUrl } = market;
  const told = JSON.stringify({ ...life, folder, publicUrl, secret: SECRET });
  const child = spawn(process.execPath, [BUYER, told], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const [code, signal] = await once(child, 'close');
  if (signal === 'SIGKILL') return null;
  if (code !== 0) throw new Error(`it ended with ${code}`);
  return output.split('\n').filter((line) => line !== '');
}

/** What must have been waited for on the way, so that no list of steps is empty by mistake. */
const expected = {
  return: ['keys.obtain', 'log.append', 'payments.initialize', 'payments.verify'],
  webhook: ['state.put', 'state.list', 'payments.verify', 'log.append', 'state.delete'],
  check: ['state.get', 'payments.verify', 'log.append', 'state.put'],
} as const;

describe.each([
  ['return', 'from the click on Submit to the return from the provider'],
  ['webhook', 'from the provider’s notice to the end of the sweep that works on it'],
  ['check', 'while a sweep asks after the payment'],
] as const)('command-service, killed with -9 at every await %s', (door, _) => {
  it.each(['before', 'after'] as const)(
    '(%s it) and started again, has one order and one capture for each buyer',
    async (when) => {
      const life = { door, when, unfinished: null, step: null };
      const whole = await lived({ ...life, commandId: randomUUID() });
      for (const step of expected[door]) expect(whole).toContain(step);

      const commands: string[] = [];
      for (let step = 1; step <= (whole?.length ?? 0); step += 1) {
        const commandId = randomUUID();
        const unfinished = commands.at(-1) ?? null;
        commands.push(commandId);
        const name = `${step}. ${whole?.[step - 1]}`;
        expect([name, await lived({ ...life, commandId, unfinished, step })]).toEqual([name, null]);
      }
      await lived({ ...life, commandId: null, unfinished: commands.at(-1) ?? null });

      for (const commandId of commands)
        expect(await market.story(transactionIdOf(commandId))).toEqual([
          'OrderPlaced',
          'PaymentInitialized',
          'PaymentVerified',
        ]);
      const captured = (await market.captures()).map(transactionOfReference);
      expect(new Set(captured).size).toBe(captured.length);
      expect(await market.orders()).toBe(captured.length);
    },
    300_000,
  );
});
