import type { Owner } from '@oja/contracts';
import { type Edge, openEdge } from '../support/edge.js';
import { freePort, type Running, runOja } from '../support/market.js';
import type { MovingClock } from './clock.js';

export const ROLES = ['command-service', 'query-service', 'projector'] as const;
export type Role = (typeof ROLES)[number];

/** A market of separate processes, each of which can be killed and comes back on its own port. */
export interface Roles {
  /** Where browsers go. */
  readonly origin: string;
  /** Of every process, for the command line. */
  readonly env: Readonly<Record<string, string>>;
  /** As a power cut does; resolves once it serves again. One at a time. */
  killAndRestart(role: Role): Promise<void>;
  readonly kills: Readonly<Record<Role, number>>;
  /** Notices of the provider that were taken, as the roles' logs tell. */
  webhooksTaken(): number;
  stop(): Promise<void>;
}

/** A role that does not serve by then is broken, in milliseconds. */
const OPENING_MS = 120_000;
const TAKEN = /"route":"\/v1\/paystack\/webhook","status":200/;

export async function startRoles(dataDir: string, clock: MovingClock): Promise<Roles> {
  const [edgePort, commands, queries, projector] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const ports = { 'command-service': commands, 'query-service': queries, projector };
  const origin = `http://localhost:${edgePort}`;
  const env = {
    ...clock.env,
    DATA_DIR: dataDir,
    PUBLIC_URL: origin,
    OJA_DEMO: '1',
    PAYOUTS: 'on',
    LOG_LEVEL: 'info',
  };
  const running = new Map<Role, Running>();
  const kills = { 'command-service': 0, 'query-service': 0, projector: 0 };
  let taken = 0;
  let turn: Promise<void> = Promise.resolve();

  async function start(role: Role): Promise<void> {
    const started = runOja(['start', role], { ...env, PORT: String(ports[role]) });
    running.set(role, started);
    const tooLate = setTimeout(() => started.process.kill('SIGKILL'), OPENING_MS);
    await started.line(/"msg":"open"/);
    clearTimeout(tooLate);
  }

  /** However this process ends, none of them is left behind. */
  const killAll = () => {
    for (const role of running.values()) role.process.kill('SIGKILL');
  };
  process.once('exit', killAll);

  const takenBy = ({ lines }: Running) => lines.filter((line) => TAKEN.test(line)).length;

  async function killNow(role: Role): Promise<void> {
    const victim = running.get(role);
    if (victim === undefined) return;
    victim.process.kill('SIGKILL');
    await victim.exited;
    taken += takenBy(victim);
    kills[role] += 1;
    await start(role);
  }

  const following = start('projector');
  await start('command-service');
  await start('query-service');
  await following;
  const owners: Record<Owner, number> = ports;
  const edge: Edge = await openEdge(edgePort, owners);

  return {
    origin,
    env,
    kills,
    killAndRestart(role) {
      const done = turn.then(() => killNow(role));
      turn = done.catch(() => undefined);
      return done;
    },
    webhooksTaken: () => [...running.values()].reduce((sum, role) => sum + takenBy(role), taken),
    async stop() {
      await turn;
      await edge.close();
      for (const role of running.values()) await role.stop();
      process.off('exit', killAll);
    },
  };
}
