import { queues } from '@oja/contracts/models';
import { createReadModels, type Jobs, type Logger, type Worker } from '@oja/platform';
import { type CourierOptions, createCourier } from './courier.js';
import { browserOf, orderOf } from './jobs.js';

export interface PushesOptions extends Omit<CourierOptions, 'readModels'> {
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** Works the queues of pushes. */
export interface Pushes {
  start(): void;
  /** Lets those in hand end. */
  stop(): Promise<void>;
}

/** Push services are slow and far away. */
const AT_ONCE = 4;

export function createPushes(options: PushesOptions): Pushes {
  const { documents, jobs, clock, logger } = options;
  const courier = createCourier({ ...options, readModels: createReadModels(documents, clock) });
  let workers: readonly Worker[] = [];
  return {
    start() {
      workers = [
        jobs.work(queues.orderPushes, ({ data }) => courier.announce(orderOf(data))),
        jobs.work(
          queues.pushes,
          async ({ data }) => {
            const to = browserOf(data);
            const outcome = await courier.deliver(to);
            if (outcome === 'refused')
              logger.warn({ subscriptionId: to.subscriptionId }, 'a push was refused');
          },
          { concurrency: AT_ONCE },
        ),
      ];
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
