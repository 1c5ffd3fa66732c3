// Plain JavaScript, because child processes of tests import it too, and Node 20 cannot load TypeScript.
import { createPasswords } from '@oja/command-service';
import { createIdempotency } from '@oja/http';
import {
  createAccessTokens,
  createCommandHandler,
  createImages,
  createReadModels,
  createSealer,
  createSessions,
} from '@oja/platform';

const write = () => {};

export const quiet = {
  debug: write,
  info: write,
  warn: write,
  error: write,
  fatal: write,
  child: () => quiet,
};

export async function depsOver({ publicUrl, secret, settings, logger, ...engines }) {
  const { eventStore, documents, state, keys, clock } = engines;
  return {
    ...createCommandHandler(eventStore, { clock: clock.now }),
    ...engines,
    logId: await eventStore.logId(),
    readModels: createReadModels(documents),
    sealer: createSealer(keys),
    sessions: createSessions(state, secret),
    accessTokens: createAccessTokens(secret),
    passwords: createPasswords(state),
    images: createImages({ publicUrl }),
    idempotency: createIdempotency(state, secret, clock),
    settings: { publicUrl, demo: true, payouts: false, ...settings },
    logger: logger ?? quiet,
  };
}
