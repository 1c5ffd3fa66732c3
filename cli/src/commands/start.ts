import { seedFirstStart } from '@oja/demo';
import type { Command } from 'commander';
import { Exit, exitCodes } from '../market/exit.js';
import { openGround } from '../market/ground.js';
import { keepHeartbeat } from '../market/heartbeat.js';
import { refuseMoved } from '../market/moving.js';
import { type ServiceName, serviceNames } from '../market/part.js';
import { partsOf } from '../market/parts.js';
import { openData, planOrExit } from '../market/plan.js';
import { startProcess } from '../market/process.js';
import { onShutdown } from '../market/shutdown.js';
import { examples } from '../terminal/examples.js';
import { nearestOf } from '../terminal/nearest.js';
import { say } from '../terminal/output.js';

/** Opens the whole market in this process, or some services of it, until it is told to stop. */
async function start(services: readonly ServiceName[]): Promise<void> {
  const everything = services.length === 0;
  const plan = planOrExit(process.env, everything);
  const service = everything ? 'market' : (services[0] ?? 'market');
  const { config, dataDir, logger } = await openData(plan, { service, listens: true });
  const phase = everything ? say : (line: string) => logger.info({}, line);

  const ground = await openGround({ config, logger, drawsSamples: config.demo });
  await refuseMoved(ground).catch(async (error: unknown) => {
    await ground.engines.close();
    throw error;
  });
  const running = await startProcess(ground);
  const names = everything ? ['market'] : services;
  const beats = await Promise.all(names.map((name) => keepHeartbeat(ground, name)));
  const stopped = onShutdown(async () => {
    phase('Closing …');
    for (const stop of beats) await stop();
    await running.close();
    await ground.engines.close();
    await logger.close();
    dataDir.release();
  });
  if (everything && config.demo) await seedFirstStart(ground, phase);
  phase('Opening …');
  await running.open(partsOf(ground, everything ? serviceNames : services));
  phase(everything ? `Oja is open at ${config.publicUrl}` : `${services.join(', ')} open`);
  await stopped;
}

function asServices(names: readonly string[]): readonly ServiceName[] {
  return names.map((name) => {
    const service = serviceNames.find((known) => known === name);
    if (service) return service;
    throw new Exit(
      exitCodes.usage,
      `There is no service '${name}'${nearestOf(name, serviceNames)}.`,
    );
  });
}

export function startCommand(program: Command): void {
  program
    .command('start')
    .description('open the market: all of it, or the named services')
    .argument('[service...]', serviceNames.join(', '))
    .addHelpText(
      'after',
      examples(
        'start                    everything in one process, as npm start does',
        'start query-service      one service; PORT says where it listens',
      ),
    )
    .action((names: string[]) => start(asServices(names)));
}
