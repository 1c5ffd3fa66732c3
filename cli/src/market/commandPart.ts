import { join } from 'node:path';
import { createCommandService } from '@oja/command-service';
import { createImageHost, type ImageHost } from '@oja/demo/image-host';
import { createSandbox, type Sandbox, webhookSender } from '@oja/demo/paystack-sandbox';
import { files, isAdopted } from '@oja/platform';
import { commandDeps } from './commandDeps.js';
import { logAnswers, THE_LOG } from './logAnswers.js';
import type { Ground, Part } from './part.js';

const UPLOADS_PER_HOUR = 60;
/** How often pictures that nothing uses are looked for, in milliseconds. */
const PICTURE_SWEEP_MS = 3_600_000;

/** The shipped sandbox, where the settings name no payment provider. */
function sandboxOf({ config, engines, clock, logger }: Ground): Sandbox | null {
  if (!config.demo || config.paystack.url !== null) return null;
  return createSandbox({
    state: engines.state,
    secret: config.paystack.secret,
    publicUrl: config.publicUrl,
    clock,
    send: webhookSender(`http://127.0.0.1:${config.port}/v1/paystack/webhook`),
    report: (error) => logger.warn({ err: error }, 'the payment sandbox could not do its work'),
  });
}

/** The shipped image host, where the settings name no other. */
function imageHostOf({ config, engines, clock, drawSample }: Ground): ImageHost | null {
  if (config.cloudinary !== null) return null;
  return createImageHost({
    dir: join(config.dataDir, files.pictures),
    state: engines.state,
    publicUrl: config.publicUrl,
    clock,
    uploadsPerHour: config.demo ? null : UPLOADS_PER_HOUR,
    addressOf: (ctx) => ctx.state.clientAddress,
    ...(drawSample && { drawMissing: drawSample }),
  });
}

async function sweepPictures({ engines, clock, logger }: Ground, host: ImageHost): Promise<void> {
  try {
    const now = clock.now();
    await host.sweep(now, (name) => isAdopted(engines.state, name, now));
  } catch (error) {
    logger.warn({ err: error }, 'unused pictures could not be removed');
  }
}

/** Calls that change something, with the sandbox and the image host that Oja ships. */
export function commandPart(ground: Ground): Part {
  const service = createCommandService(commandDeps(ground));
  const sandbox = sandboxOf(ground);
  const imageHost = imageHostOf(ground);
  const sweeping =
    imageHost && setInterval(() => void sweepPictures(ground, imageHost), PICTURE_SWEEP_MS);
  sweeping?.unref();
  return {
    name: 'command-service',
    mount(app) {
      if (imageHost) app.use(imageHost.upload).use(imageHost.view);
      if (sandbox) app.use(sandbox.middleware);
      service.mount(app);
    },
    readyWhen(readiness) {
      readiness.add('commands', () => service.ready());
      readiness.add(THE_LOG, () => logAnswers(ground.engines.eventStore));
    },
    async start() {
      sandbox?.start();
      service.start();
    },
    async close() {
      if (sweeping) clearInterval(sweeping);
      await sandbox?.stop();
      await service.close();
    },
  };
}
