import { createPasswords, type Deps } from '@oja/command-service';
import { createIdempotency } from '@oja/http';
import { createAccessTokens, createSealer, createSessions } from '@oja/platform';
import type { AppContext } from './context.js';
import { currentOperator } from './operator.js';

/** The dependencies of command-service, for the service itself and for an operator's commands. */
export function commandDeps(context: AppContext): Deps {
  const { config, engines, commands, readModels, logId, clock, logger } = context;
  const { publicUrl, demo, payouts, tokenSecret, tokenSecretFallback } = config;
  const { state } = engines;
  return {
    ...engines,
    ...commands,
    logId,
    readModels,
    sealer: createSealer(engines.keys),
    sessions: createSessions(state, tokenSecret, tokenSecretFallback),
    accessTokens: createAccessTokens(tokenSecret, tokenSecretFallback),
    passwords: createPasswords(state),
    idempotency: createIdempotency(state, tokenSecret, clock, tokenSecretFallback),
    settings: { publicUrl, demo, payouts },
    clock,
    logger,
    operator: currentOperator(),
  };
}
