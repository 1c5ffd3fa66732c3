import { createSealer } from '@oja/platform';
import { createLetters, createProjector, projections, reactions } from '@oja/projector';
import type { Ground, Part } from './part.js';

/** Follows the log: read models, jobs, letters. It answers no calls. */
export function projectorPart(ground: Ground): Part {
  const { config, engines, logger, metrics, clock } = ground;
  const { eventStore, documents, state, jobs, mail } = engines;
  const projector = createProjector({
    eventStore,
    documents,
    state,
    jobs,
    projections,
    reactions,
    logger,
    clock,
    metrics,
  });
  const letters = createLetters({
    documents,
    sealer: createSealer(engines.keys),
    state,
    mail,
    jobs,
    clock,
    logger,
    publicUrl: config.publicUrl,
    supportEmail: config.support.email,
  });
  let caughtUp = false;
  return {
    name: 'projector',
    mount: () => {},
    readyWhen(readiness) {
      readiness.add('read models', () => caughtUp);
    },
    async start() {
      const head = await eventStore.head();
      await projector.start();
      letters.start();
      // Once is enough: a market that is busy is not one that cannot serve.
      if (head === null) caughtUp = true;
      else void projector.caughtUp(head).then((passed) => (caughtUp = passed));
    },
    async close() {
      await letters.stop();
      await projector.stop();
    },
  };
}
