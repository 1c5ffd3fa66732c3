import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { z } from 'zod';
import { freePort, type Running, run } from './market.js';

/** Nodes of a cluster. */
const NODES = 3;
const POLL_MS = 100;
/** Longer than any election takes, in milliseconds. */
const ELECTED_MS = 60_000;

/** Three nodes of one engine on loopback. The one that takes the writes can be taken away. */
export interface Cluster {
  /** The connection string of all nodes, without a database. */
  readonly url: string;
  /** Kills the leader, as a power cut would; resolves with a function that starts it again. */
  kill(): Promise<() => Promise<void>>;
  /** Freezes the leader, neither dead nor alive, for this many milliseconds. */
  freeze(ms: number): Promise<void>;
  /** Makes the leader hand over to another node. */
  stepDown(): Promise<void>;
  stop(): Promise<void>;
}

interface Node {
  readonly port: number;
  running: Running;
}

async function freeze({ process: { pid } }: Running, ms: number): Promise<void> {
  if (pid === undefined) throw new Error('the leader has ended');
  process.kill(pid, 'SIGSTOP');
  await wait(ms);
  process.kill(pid, 'SIGCONT');
}

/** Asks until there is an answer. */
async function untilKnown<T>(ask: () => Promise<T | null>, what: string): Promise<T> {
  const until = performance.now() + ELECTED_MS;
  while (performance.now() < until) {
    const answer = await ask();
    if (answer !== null) return answer;
    await wait(POLL_MS);
  }
  throw new Error(what);
}

/** Starts three members of a replica set with data in `folder`; `mongod` is the path of the program, 4.4 or later. */
export async function startReplicaSet(mongod: string, folder: string): Promise<Cluster> {
  const set = 'oja';

  async function start(port: number): Promise<Running> {
    const dbpath = join(folder, `mongod-${port}`);
    mkdirSync(dbpath, { recursive: true });
    const options = ['--dbpath', dbpath, '--port', `${port}`, '--bind_ip', '127.0.0.1'];
    const running = run(
      mongod,
      [...options, '--replSet', set, '--wiredTigerCacheSizeGB', '0.25'],
      {},
    );
    await running.line(/Waiting for connections/);
    return running;
  }

  /** Runs a command on one member, whatever the state of the others. */
  async function command(port: number, one: Record<string, unknown>) {
    const client = new MongoClient(`mongodb://127.0.0.1:${port}`, {
      directConnection: true,
      serverSelectionTimeoutMS: 2_000,
      socketTimeoutMS: 5_000,
    });
    try {
      return await client.db('admin').command(one);
    } finally {
      await client.close();
    }
  }

  const members: Node[] = [];
  for (let count = 0; count < NODES; count += 1) {
    const port = await freePort();
    members.push({ port, running: await start(port) });
  }
  const hosts = members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` }));
  const [first] = members;
  if (first === undefined) throw new Error('no member');
  await command(first.port, { replSetInitiate: { _id: set, members: hosts } });

  const primary = () =>
    untilKnown(async () => {
      for (const member of members) {
        const said = await command(member.port, { isMaster: 1 }).catch(() => null);
        if (said?.ismaster === true) return member;
      }
      return null;
    }, 'no primary was elected');
  await primary();

  return {
    url: `mongodb://${hosts.map(({ host }) => host).join(',')}/?replicaSet=${set}`,
    async kill() {
      const victim = await primary();
      await victim.running.kill();
      return async () => {
        victim.running = await start(victim.port);
      };
    },
    freeze: async (ms) => freeze((await primary()).running, ms),
    async stepDown() {
      const { port } = await primary();
      // Stepping down closes client connections, this one included.
      await command(port, { replSetStepDown: 60, force: true }).catch(() => {});
    },
    async stop() {
      for (const { running } of members) await running.kill();
    },
  };
}

const gossip = z.object({
  members: z.array(z.object({ state: z.string(), httpEndPointPort: z.number() })),
});

/** Starts three nodes with data in `folder`; `program` is EventStoreDB 23.10, or runs it with the options it is given. */
export async function startEventStoreNodes(program: string, folder: string): Promise<Cluster> {
  const ports: number[] = [];
  for (let count = 0; count < NODES; count += 1) ports.push(await freePort());
  const replicationPorts = new Map<number, number>();
  for (const port of ports) replicationPorts.set(port, await freePort());

  function start(port: number): Running {
    const seeds = ports.filter((other) => other !== port).map((other) => `127.0.0.1:${other}`);
    const ofNode = [`--node-port=${port}`, `--replication-port=${replicationPorts.get(port)}`];
    const data = ['db', 'log'].map((name) => `--${name}=${join(folder, `node-${port}`, name)}`);
    const addresses = ['--node-ip=127.0.0.1', '--replication-ip=127.0.0.1'];
    const others = [`--cluster-size=${NODES}`, '--discover-via-dns=false'];
    return run(
      program,
      [
        '--insecure',
        '--run-projections=None',
        '--worker-threads=2',
        ...others,
        `--gossip-seed=${seeds.join(',')}`,
        ...addresses,
        ...ofNode,
        ...data,
      ],
      {},
    );
  }

  const nodes: Node[] = ports.map((port) => ({ port, running: start(port) }));

  /** The state that a node gives itself, such as 'Leader'; null while it does not answer. */
  async function stateOf({ port }: Node): Promise<string | null> {
    try {
      const signal = AbortSignal.timeout(2_000);
      const answer = await fetch(`http://127.0.0.1:${port}/gossip`, { signal });
      const { members } = gossip.parse(await answer.json());
      return members.find(({ httpEndPointPort }) => httpEndPointPort === port)?.state ?? null;
    } catch {
      return null;
    }
  }

  const leader = () =>
    untilKnown(async () => {
      for (const node of nodes) if ((await stateOf(node)) === 'Leader') return node;
      return null;
    }, 'no leader was elected');

  const joined = () =>
    untilKnown(async () => {
      const states = await Promise.all(nodes.map(stateOf));
      return states.every((state) => state === 'Leader' || state === 'Follower') || null;
    }, 'not every node has joined the cluster');
  await joined();

  async function tell({ port }: Node, path: string): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  }

  return {
    url: `esdb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`,
    async kill() {
      const victim = await leader();
      await victim.running.kill();
      return async () => {
        victim.running = start(victim.port);
        await joined();
      };
    },
    async freeze(ms) {
      await freeze((await leader()).running, ms);
      await joined();
    },
    async stepDown() {
      const old = await leader();
      await tell(old, '/admin/node/priority/-1');
      await tell(old, '/admin/node/resign');
      await joined();
    },
    async stop() {
      for (const { running } of nodes) await running.kill();
    },
  };
}
