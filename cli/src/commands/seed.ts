import { FIRST_SEED, SAMPLE_PASSWORD, type SampleSize, sampleBytes, seedMarket } from '@oja/demo';
import { type AppContext, withContext } from '../runtime/context.js';
import { configExit } from '../terminal/exit.js';
import { interruptSignal } from '../terminal/interrupt.js';
import { type Output, plural, printAnswer } from '../terminal/output.js';
import { withProgress } from '../terminal/progress.js';
import { bytesNeeded, type DiskSpace, freeBytesIn, requireDiskSpace } from './shared/disk-space.js';

/** Null where the log or the read models are on servers, whose disks cannot be seen from here. */
async function roomFor({ config }: AppContext, size: SampleSize): Promise<DiskSpace | null> {
  const { dataDir: folder, eventStoreUrl, mongodbUrl } = config;
  if (eventStoreUrl !== null || mongodbUrl !== null) return null;
  return { folder, needed: bytesNeeded(sampleBytes(size), 0), free: await freeBytesIn(folder) };
}

/** Makes sample data; the default amounts are those of a demo's first start. @throws Exit 1 when the disk is too full. */
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
    requireDiskSpace(await roomFor(context, size), 'Making so many samples');
    await withProgress('Making sample goods', (onProgress) =>
      seedMarket(context, size, { onProgress, signal }),
    );
    printAnswer<'seed'>({ json }, { ...size, password: SAMPLE_PASSWORD }, () => [
      `${plural(sellers, 'seller')}, ${plural(products, 'good')}, ${plural(orders, 'order')}. Every sample seller's password is ${SAMPLE_PASSWORD}`,
    ]);
  });
}
