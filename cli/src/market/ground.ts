import {
  type Config,
  createHandle,
  createMetrics,
  createReadModels,
  type Logger,
  openEngines,
  systemClock,
} from '@oja/platform';
import type { Ground } from './part.js';

/** What draws is large and most processes draw nothing: it is read at the first picture. */
async function drawSample(name: string): Promise<Buffer | null> {
  const samples = await import('@oja/demo/pictures');
  return samples.drawSample(name);
}

export interface GroundOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly drawsSamples: boolean;
}

/** Opens the engines and what stands directly on them. @throws StoreUnavailable where one does not answer. */
export async function openGround({ config, logger, drawsSamples }: GroundOptions): Promise<Ground> {
  const clock = systemClock;
  const metrics = createMetrics();
  const engines = await openEngines(config, {
    clock,
    logger,
    sandboxOrigin: `http://127.0.0.1:${config.port}`,
  });
  const handle = createHandle(engines.eventStore, {
    clock: () => clock.now(),
    onConflict: (stream) => metrics.countAppendConflict(stream.slice(0, stream.indexOf('-'))),
  });
  return {
    config,
    engines,
    handle,
    readModels: createReadModels(engines.documents, clock),
    logId: await engines.eventStore.logId(),
    logger,
    metrics,
    clock,
    ...(drawsSamples && { drawSample }),
  };
}
