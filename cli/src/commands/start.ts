import { seedFirstStart } from '@oja/demo';
import { createLogger, createMetrics, startTracing } from '@oja/platform';
import { openContext } from '../runtime/context.js';
import { bindLog, refuseForeignLog } from '../runtime/log-identity.js';
import { refuseMoved } from '../runtime/move-mark.js';
import { openData, planOrExit, refuseDamaged } from '../runtime/open-data.js';
import { onShutdown, startProcess } from '../runtime/process.js';
import { type ServiceName, serviceNames, VERSION } from '../runtime/program.js';
import { announceProcesses } from '../runtime/running-processes.js';
import { createServiceModules } from '../runtime/services.js';
import { exitCodes } from '../terminal/exit.js';
import { printLine, sayNote } from '../terminal/output.js';
import { removeLeftKeys } from './shared/temporary-folder.js';
import { measureMarket, measureWrites } from './status/metrics.js';

/** Runs the whole market, or the named services, in this process until it is told to stop. */
export async function start(services: readonly ServiceName[]): Promise<void> {
  // Other commands end when their output cannot be written; a market stays open without its reader.
  process.stdout.removeAllListeners('error').on('error', () => undefined);
  const everything = services.length === 0;
  const plan = planOrExit(process.env, everything);
  const service = everything ? 'market' : (services[0] ?? 'market');
  const { config, dataDir, logger } = await openData(plan, {
    service,
    listens: true,
    createLog: createLogger,
  });
  const phase = everything ? printLine : (line: string) => logger.info({}, line);

  const endTracing =
    config.tracing &&
    (await startTracing({ ...config.tracing, service, version: VERSION, logger }));
  const context = await openContext({
    config,
    logger,
    metrics: createMetrics(),
  });
  const movedOut = new AbortController();
  const onMovedOut = (why: string) => {
    if (movedOut.signal.aborted) return;
    logger.error({}, why);
    if (everything) sayNote(why);
    process.exitCode = exitCodes.config;
    movedOut.abort();
  };
  let silence: () => Promise<void>;
  try {
    refuseDamaged(config);
    await refuseForeignLog(context);
    await refuseMoved(context);
    silence = await announceProcesses(context, everything ? ['market'] : services, onMovedOut);
  } catch (error) {
    await context.engines.close();
    throw error;
  }
  await bindLog(context);
  removeLeftKeys(config.dataDir);
  const running = await startProcess(context).catch(async (error: unknown) => {
    await silence();
    throw error;
  });
  const stopping = new AbortController();
  const stopped = onShutdown(
    async () => {
      phase('Closing …');
      stopping.abort();
      await silence();
      await running.close();
      await context.engines.close();
      await endTracing?.();
      await logger.close();
      dataDir.release();
    },
    {
      late: () => phase('Closing takes too long: the process ends without it.'),
      told: movedOut.signal,
    },
  );
  try {
    if (everything && config.demo) await seedFirstStart(context, phase, stopping.signal);
    stopping.signal.throwIfAborted();
    measureWrites(context);
    if (everything || services.includes('projector')) measureMarket(context);
    phase('Opening …');
    await running.open(createServiceModules(context, everything ? serviceNames : services));
    phase(everything ? `Oja is open at ${config.publicUrl}` : `${services.join(', ')} open`);
  } catch (error) {
    // Engines that were closed under an opening make it fail, which is no failure of the market.
    if (!stopping.signal.aborted) throw error;
  }
  await stopped;
  // The trace exporter and engine clients may keep retrying, which would keep the process alive after the stop.
  process.exit();
}
