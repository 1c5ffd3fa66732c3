import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from '../../../test/support/free-port.js';
import { temporaryFolder } from './folders.js';
import { haveProgram } from './programs.js';

/** A separate Redis for the test, on a free port. It writes every change to disk before it answers. */
export interface RedisServer {
  readonly url: string;
  /** Kills it as a power failure would. */
  killHard(): Promise<void>;
  /** It keeps its connections but answers nothing any more; only `killHard` can follow. */
  freeze(): void;
  /** Starts it again on the same port, with the data on disk. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** Starts a Redis; null when `redis-server` is missing and cannot be installed. */
export async function startRedisServer(): Promise<RedisServer | null> {
  const redis = { versionFlag: '--version', debian: 'redis-server' };
  if (!(await haveProgram('redis-server', redis))) return null;
  const folder = await temporaryFolder();
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const settings = {
      port: `${port}`,
      bind: '127.0.0.1',
      dir: folder.path,
      save: '',
      appendonly: 'yes',
      appendfsync: 'always',
      'maxmemory-policy': 'noeviction',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    server = spawn('redis-server', args, { stdio: 'ignore' });
    const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => {});
    await client.ping();
    client.disconnect();
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
    server = null;
  }

  await start();
  return {
    url,
    start,
    killHard: () => end('SIGKILL'),
    freeze: () => void server?.kill('SIGSTOP'),
    async stop() {
      await end('SIGTERM');
      await folder.remove();
    },
  };
}

/** The printed reason why tests on Redis are skipped. */
export const noRedis = 'REDIS_URL is not set and no redis-server can be had';
