import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { freePort, type Running, run } from './market.js';

const NAME = 'oja';
const MEMBERS = 3;
const POLL_MS = 100;
/** Longer than any election takes, in milliseconds. */
const ELECTED_MS = 60_000;

/** Three `mongod` on loopback; any of them can be taken away. */
export interface ReplicaSet {
  /** The connection string of all members, without a database. */
  readonly url: string;
  /** Kills the primary, as a power cut would; resolves with a function that starts it again. */
  kill(): Promise<() => Promise<void>>;
  /** Freezes the primary, neither dead nor alive, for this many milliseconds. */
  freeze(ms: number): Promise<void>;
  /** Makes the primary hand over to another member. */
  stepDown(): Promise<void>;
  stop(): Promise<void>;
}

interface Member {
  readonly port: number;
  running: Running;
}

/** Starts three members with data in `folder`; `mongod` is the path of the program, 4.4 or later. */
export async function startReplicaSet(mongod: string, folder: string): Promise<ReplicaSet> {
  async function start(port: number): Promise<Running> {
    const dbpath = join(folder, `mongod-${port}`);
    mkdirSync(dbpath, { recursive: true });
    const options = ['--dbpath', dbpath, '--port', `${port}`, '--bind_ip', '127.0.0.1'];
    const set = ['--replSet', NAME, '--wiredTigerCacheSizeGB', '0.25'];
    const running = run(mongod, [...options, ...set], {});
    await running.line(/Waiting for connections/);
    return running;
  }

  /** Runs a command on one member, whatever the state of the others. */
  async function command(port: number, one: Record<string, unknown>) {
    const patience = { serverSelectionTimeoutMS: 2_000, socketTimeoutMS: 5_000 };
    const client = new MongoClient(`mongodb://127.0.0.1:${port}`, {
      directConnection: true,
      ...patience,
    });
    try {
      return await client.db('admin').command(one);
    } finally {
      await client.close();
    }
  }

  const members: Member[] = [];
  for (let count = 0; count < MEMBERS; count += 1) {
    const port = await freePort();
    members.push({ port, running: await start(port) });
  }
  const hosts = members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` }));
  const [first] = members;
  if (first === undefined) throw new Error('no member');
  await command(first.port, { replSetInitiate: { _id: NAME, members: hosts } });

  async function primary(): Promise<Member> {
    const until = performance.now() + ELECTED_MS;
    while (performance.now() < until) {
      for (const member of members) {
        const said = await command(member.port, { isMaster: 1 }).catch(() => null);
        if (said?.ismaster === true) return member;
      }
      await wait(POLL_MS);
    }
    throw new Error('no primary was elected');
  }
  await primary();

  return {
    url: `mongodb://${hosts.map(({ host }) => host).join(',')}/?replicaSet=${NAME}`,
    async kill() {
      const victim = await primary();
      await victim.running.kill();
      return async () => {
        victim.running = await start(victim.port);
      };
    },
    async freeze(ms) {
      const { pid } = (await primary()).running.process;
      if (pid === undefined) throw new Error('the primary has ended');
      process.kill(pid, 'SIGSTOP');
      await wait(ms);
      process.kill(pid, 'SIGCONT');
    },
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
