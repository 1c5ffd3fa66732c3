import { createSealer } from '@oja/platform';
import {
  createLetters,
  createProjector,
  createPushes,
  createWebPush,
  type Pushes,
  projections,
  push,
  reactions,
} from '@oja/projector';
import { logAnswers, THE_LOG } from './logAnswers.js';
import type { Ground, Part } from './part.js';

/** Whom a push service may write to about the pushes of this market. */
function contactOf({ publicUrl, support }: Ground['config']): string {
  return `mailto:${support.email || `postmaster@${new URL(publicUrl).hostname}`}`;
}

/** Null where the market has no keys for it. */
function pushesOf({ config, engines, clock, logger }: Ground): Pushes | null {
  if (config.push === null) return null;
  const send = createWebPush({ keys: config.push, contact: contactOf(config) });
  const { documents, jobs } = engines;
  return createPushes({ documents, jobs, sealer: createSealer(engines.keys), clock, logger, send });
}

/** Follows the log: read models, jobs, letters, pushes. It answers no calls. */
export function projectorPart(ground: Ground): Part {
  const { config, engines, logger, metrics, clock } = ground;
  const { eventStore, documents, state, jobs, mail } = engines;
  const pushes = pushesOf(ground);
  const projector = createProjector({
    eventStore,
    documents,
    state,
    jobs,
    projections,
    reactions: pushes === null ? reactions : [...reactions, push],
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
      readiness.add(THE_LOG, () => logAnswers(eventStore));
    },
    async start() {
      const head = await eventStore.head();
      await projector.start();
      letters.start();
      pushes?.start();
      // Once is enough: a market that is busy is not one that cannot serve.
      if (head === null) caughtUp = true;
      else void projector.caughtUp(head).then((passed) => (caughtUp = passed));
    },
    async close() {
      await Promise.all([letters.stop(), pushes?.stop()]);
      await projector.stop();
    },
  };
}
