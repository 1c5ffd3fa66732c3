import { setTimeout as wait } from 'node:timers/promises';
import { readModels } from '@oja/contracts/models';
import { Caller } from '../chaos/caller.js';
import type { Engines } from '../chaos/engines.js';
import type { Role, Roles } from '../chaos/roles.js';

/** Longer than a fail-over may take, in milliseconds. */
const PATIENCE_MS = 60_000;
const POLL_MS = 5;

/** Resolves once every read model shows an event appended after this call. */
async function shown({ log, readModels: models }: Engines): Promise<void> {
  const before = await log.head();
  let head = before;
  for (; head === null || head === before; head = await log.head()) await wait(POLL_MS);
  if (!(await models.waitFor(Object.values(readModels), head, PATIENCE_MS)))
    throw new Error(`the read models have not come to ${head}`);
}

/** Resolves once the remaining copy does the role's work. Orders must continue meanwhile. */
async function works(role: Role, { origin }: Roles, engines: Engines): Promise<void> {
  const call = { method: 'GET' } as const;
  const caller = new Caller(origin);
  if (role === 'projector') return shown(engines);
  const path = role === 'query-service' ? '/v1/products/search' : '/v1/businessName-checker/Nobody';
  await caller.persist({ ...call, path });
}

/** Kills one copy and restarts it at the end. Returns the ms until the other copy's work was seen. */
export async function failOver(role: Role, roles: Roles, engines: Engines): Promise<number> {
  const killed = await roles.kill(role);
  const began = performance.now();
  await works(role, roles, engines);
  const took = performance.now() - began;
  await killed.restart();
  return took;
}
