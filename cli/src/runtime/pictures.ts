import { join } from 'node:path';
import { createImageHost, type ImageHost } from '@oja/demo/image-host';
import { type Config, createLimitLog, type Engines, files, isAdopted } from '@oja/platform';
import type { AppContext } from './context.js';

/** Uploads that one address may make in an hour. */
const UPLOADS_PER_HOUR = 60;

/** What the image host needs of a process. */
interface PictureContext extends Pick<AppContext, 'clock' | 'logger'> {
  readonly config: Pick<Config, 'dataDir' | 'publicUrl' | 'demo'>;
  readonly engines: Pick<Engines, 'state'>;
}

/** The built-in image host, whose pictures lie in the data folder. */
export interface PictureHost extends Pick<ImageHost, 'upload' | 'view'> {
  /** Removes the pictures that were uploaded more than a day ago and that no product has taken. Failures are logged. */
  sweep(): Promise<void>;
}

/** Draws a sample picture at its first request. The drawing code loads only then: it is large. */
async function drawSample(name: string): Promise<Buffer | null> {
  const samples = await import('@oja/demo/pictures');
  return samples.drawSample(name);
}

/** The image host of this process. Uploads are limited, except in a demo. */
export function createPictureHost({
  config,
  engines: { state },
  clock,
  logger,
}: PictureContext): PictureHost {
  const limited = createLimitLog(logger);
  const host = createImageHost({
    dir: join(config.dataDir, files.pictures),
    state,
    publicUrl: config.publicUrl,
    clock,
    uploadsPerHour: config.demo ? null : UPLOADS_PER_HOUR,
    addressOf: (ctx) => ctx.state.clientAddress,
    limited: (rule, clientAddress) => limited({ rule, actor: null, clientAddress }),
    ...(config.demo && { drawMissing: drawSample }),
  });
  return {
    upload: host.upload,
    view: host.view,
    async sweep() {
      try {
        const now = clock.now();
        await host.sweep(now, (name) => isAdopted(state, name, now));
      } catch (error) {
        logger.warn({ err: error }, 'unused pictures could not be removed');
      }
    },
  };
}
