import { FIRST_SEED, SAMPLE_PASSWORD, type SampleSize, seedMarket } from '@oja/demo';
import { withContext } from '../runtime/context.js';
import { configExit } from '../terminal/exit.js';
import { interruptSignal } from '../terminal/interrupt.js';
import { type Output, plural, show } from '../terminal/output.js';
import { withProgress } from '../terminal/progress.js';

/** Makes sample data; the default amounts are those of a demo's first start. */
export async function seed({
  json = false,
  ...asked
}: Partial<SampleSize> & Output): Promise<void> {
  const { sellers, products, orders, seed: which } = { ...FIRST_SEED, ...asked };
  const size = { sellers, products, orders, seed: which };
  const signal = interruptSignal();
  await withContext(async (context) => {
    if (!context.config.demo)
      throw configExit('Sample goods are for demos only: set OJA_DEMO=1 if this is one.');
    await withProgress('Making sample goods', (onProgress) =>
      seedMarket(context, size, { onProgress, signal }),
    );
    show<'seed'>({ json }, { ...size, password: SAMPLE_PASSWORD }, () => [
      `${plural(sellers, 'seller')}, ${plural(products, 'good')}, ${plural(orders, 'order')}. Every sample seller's password is ${SAMPLE_PASSWORD}`,
    ]);
  });
}
