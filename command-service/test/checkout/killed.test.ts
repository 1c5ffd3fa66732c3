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
  /** Id of the command with which a new buyer orders; null: there is no new buyer. */
  readonly commandId: string | null;
  /** Id of the order command of the previous process, which was killed; null: there was none. */
  readonly unfinished: string | null;
  readonly door: 'return' | 'webhook' | 'check';
  /** The step at which the process dies, from 1; null: it survives. */
  readonly step: number | null;
  readonly when: 'before' | 'after';
}

/** Runs a process of its own on the market's files. Returns its steps, or null when it was killed. */
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

/** The call of a step, without what else was going on. */
const callOf = (step: string) => step.split(' ')[0];

/** Calls that must be among the steps, so that the test cannot pass with an empty list of steps. */
const expected = {
  return: ['keys.obtain', 'log.append', 'payments.initialize', 'payments.verify'],
  webhook: ['state.put', 'state.list', 'payments.verify', 'log.append', 'state.delete'],
  check: ['state.get', 'payments.verify', 'log.append', 'state.put'],
} as const;

/**
 * Every moment at which a process that takes these steps can die. Between an answer and the next call nothing
 * is kept, so dying before a call is dying after the one before it, unless that has no answer yet.
 */
const deaths = (steps: readonly string[]) =>
  steps.flatMap((name, at) => {
    const step = at + 1;
    const after = { name: `after ${step}. ${name}`, step, when: 'after' } as const;
    const isSame = at > 0 && !name.endsWith(' meanwhile');
    return isSame
      ? [after]
      : [{ name: `before ${step}. ${name}`, step, when: 'before' } as const, after];
  });

describe('command-service, killed with -9 at every await and started again, has one order and one capture for each buyer', () => {
  it.each([
    ['return', 'from the click on Submit to the return from the provider'],
    ['webhook', 'from the provider’s notice to the end of the sweep that works on it'],
    ['check', 'while a sweep asks after the payment'],
  ] as const)(
    '(%s) %s',
    async (door, _) => {
      const life = { door, unfinished: null, step: null, when: 'after' } as const;
      const steps = (await lived({ ...life, commandId: randomUUID() })) ?? [];
      for (const step of expected[door]) expect(steps.map(callOf)).toContain(step);

      const commands: string[] = [];
      for (const { name, step, when } of deaths(steps)) {
        const commandId = randomUUID();
        const unfinished = commands.at(-1) ?? null;
        commands.push(commandId);
        const life = { door, commandId, unfinished, step, when };
        expect([name, await lived(life)]).toEqual([name, null]);
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
