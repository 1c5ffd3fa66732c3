import { type Edge, openEdge } from '../support/edge.js';
import { freePort, type Running, runOja } from '../support/market.js';

export const ROLES = ['command-service', 'query-service', 'projector'] as const;
export type Role = (typeof ROLES)[number];

/** A market of separate processes. Each can be killed and comes back on its own port. */
export interface Roles {
  /** The origin for browsers. */
  readonly origin: string;
  /** The environment of every process, also for CLI commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Sends SIGKILL to a role, to its copies in turn, as in a power cut. Resolves once it is dead. */
  kill(role: Role): Promise<Killed>;
  /** Kills a role and starts it again, one at a time. Resolves once it serves again. */
  killAndRestart(role: Role): Promise<void>;
  readonly kills: Readonly<Record<Role, number>>;
  /** Roles with a process that has exited by itself. */
  ended(): readonly Role[];
  /** Accepted notices of the provider, counted in the roles' logs. */
  webhooksTaken(): number;
  stop(): Promise<void>;
}

export interface Killed {
  /** Resolves once it serves again. */
  restart(): Promise<void>;
}

interface Copy {
  readonly role: Role;
  readonly port: number;
  running: Running;
}

/** A role that does not serve after this time, in milliseconds, is killed. */
const OPENING_MS = 120_000;
const TAKEN = /"route":"\/v1\/paystack\/webhook","status":200/;

/** Starts `copies` of each role (default: one) behind an edge; `extra` is added to every environment. */
export async function startRoles(
  dataDir: string,
  extra: Readonly<Record<string, string>>,
  copies = 1,
): Promise<Roles> {
  const edgePort = await freePort();
  const origin = `http://localhost:${edgePort}`;
  const env = {
    PAYOUTS: 'on',
    ...extra,
    DATA_DIR: dataDir,
    PUBLIC_URL: origin,
    OJA_DEMO: '1',
    LOG_LEVEL: 'info',
  };
  const kills = { 'command-service': 0, 'query-service': 0, projector: 0 };
  let taken = 0;
  let turn: Promise<void> = Promise.resolve();

  async function open(role: Role, port: number): Promise<Running> {
    const started = runOja(['start', role], { ...env, PORT: String(port) });
    const tooLate = setTimeout(() => started.process.kill('SIGKILL'), OPENING_MS);
    await started.line(/"msg":"open"/);
    clearTimeout(tooLate);
    return started;
  }

  const crew: Copy[] = [];
  const hire = async (role: Role) => {
    const port = await freePort();
    crew.push({ role, port, running: await open(role, port) });
  };
  const crewOf = (role: Role) => crew.filter((copy) => copy.role === role);
  const portsOf = (role: Role) => crewOf(role).map(({ port }) => port);

  const takenBy = ({ lines }: Running) => lines.filter((line) => TAKEN.test(line)).length;

  async function kill(role: Role): Promise<Killed> {
    const victim = crewOf(role)[kills[role] % copies];
    if (victim === undefined) throw new Error(`no ${role} to kill`);
    kills[role] += 1;
    victim.running.process.kill('SIGKILL');
    await victim.running.exited;
    return {
      async restart() {
        taken += takenBy(victim.running);
        victim.running = await open(role, victim.port);
      },
    };
  }

  for (let copy = 0; copy < copies; copy += 1) await Promise.all(ROLES.map(hire));
  const edge: Edge = await openEdge(edgePort, {
    'command-service': portsOf('command-service'),
    'query-service': portsOf('query-service'),
  });

  return {
    origin,
    env,
    kills,
    kill,
    killAndRestart(role) {
      const done = turn.then(async () => (await kill(role)).restart());
      turn = done.catch(() => undefined);
      return done;
    },
    ended: () =>
      crew.filter(({ running }) => running.process.exitCode !== null).map(({ role }) => role),
    webhooksTaken: () => crew.reduce((sum, { running }) => sum + takenBy(running), taken),
    async stop() {
      await turn;
      await edge.close();
      for (const { running } of crew) await running.stop();
    },
  };
}
