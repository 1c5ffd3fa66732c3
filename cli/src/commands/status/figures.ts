import { queues } from '@oja/contracts/models';
import type { Position, QueueCounts } from '@oja/platform';
import { modelErrors, projections, reactionCheckpoint, storedStatus } from '@oja/projector';
import type { Ground } from '../../market/part.js';
import { isRunning, runningProcesses } from '../shared/running.js';
import { enginesOf } from './engines.js';
import { loggedErrors, newestFirst } from './lastErrors.js';
import { moneyStatus } from './money.js';
import { owedStatus } from './obligations.js';

const allQueues = [...Object.values(queues), 'webhooks'];

async function queueCounts({ engines }: Ground): Promise<Readonly<Record<string, QueueCounts>>> {
  const counts: Record<string, QueueCounts> = {};
  for (const queue of allQueues) counts[queue] = await engines.jobs.counts(queue);
  return counts;
}

/** What this machine's files tell, before anything is made of it. */
export async function figuresOf(ground: Ground) {
  const { engines, clock, config, logId } = ground;
  const now = clock.now();
  const noted = await modelErrors(engines.state, now);
  const logged = loggedErrors(config.dataDir);
  const generations = (await storedStatus(engines, projections, now)).map((generation) => {
    const key = `${generation.projection}_v${generation.version}_g${generation.generation}`;
    const error = noted.get(key);
    return { ...generation, lastError: error ?? null };
  });
  const head: Position | null = await engines.eventStore.head();
  const reactions = await reactionCheckpoint(engines.eventStore, engines.state, now);
  return {
    running: await isRunning(ground),
    processes: await runningProcesses(ground),
    demo: config.demo,
    dataDir: config.dataDir,
    logId,
    head,
    engines: enginesOf(config),
    projections: generations,
    missing: projections
      .filter(({ name }) => !generations.some(({ projection }) => projection === name))
      .map(({ name }) => name),
    reactions: { checkpoint: reactions.value.position },
    queues: await queueCounts(ground),
    obligations: await owedStatus(ground),
    money: await moneyStatus(ground),
    lastError:
      newestFirst([
        ...logged,
        ...[...noted.values()].map((error) => ({ ...error, service: 'projector' })),
      ])[0] ?? null,
  };
}

export type MarketFigures = Awaited<ReturnType<typeof figuresOf>>;
