import { FIRST_SEED, SAMPLE_PASSWORD, type SampleSize, seedMarket } from '@oja/demo';
import { type Command, InvalidArgumentError } from 'commander';
import { withContext } from '../runtime/context.js';
import { configExit } from '../terminal/exit.js';
import { interruptSignal } from '../terminal/interrupt.js';
import { type Output, show } from '../terminal/output.js';
import { withProgress } from '../terminal/progress.js';
import { examples } from '../terminal/usage.js';

function whole(least: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < least)
      throw new InvalidArgumentError(`It takes a whole number from ${least} on.`);
    return number;
  };
}

async function seed({ json = false, ...size }: SampleSize & Output): Promise<void> {
  const signal = interruptSignal();
  await withContext(async (context) => {
    if (!context.config.demo)
      throw configExit('Sample goods are for demos only: set OJA_DEMO=1 if this is one.');
    await withProgress('Making sample goods', (onProgress) =>
      seedMarket(context, size, { onProgress, signal }),
    );
    show({ json }, { ...size, password: SAMPLE_PASSWORD }, () => [
      `${size.sellers} sellers, ${size.products} goods, ${size.orders} orders. Every sample seller's password is ${SAMPLE_PASSWORD}`,
    ]);
  });
}

export function seedCommand(program: Command): void {
  program
    .command('seed')
    .description('make sample sellers, goods and orders; the same seed makes the same ones')
    .option('--products <n>', 'goods', whole(0), FIRST_SEED.products)
    .option('--sellers <n>', 'sellers', whole(1), FIRST_SEED.sellers)
    .option('--orders <n>', 'orders', whole(0), FIRST_SEED.orders)
    .option('--seed <n>', 'which ones', whole(0), FIRST_SEED.seed)
    .option('--json', 'for programs')
    .addHelpText('after', examples('seed --products 10000 --sellers 200 --orders 500 --seed 7'))
    .action(seed);
}
