import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { temporaryFolder } from './folders.js';
const run = promisify(execFile);
async function isThere() {
    return run('redis-server', ['--version']).then(() => true, () => false);
}
/** Debian's, where we are root and it is missing. Vitest runs files at once; apt waits for its lock. */
async function install() {
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
        return false;
    const apt = (...args) => run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    try {
        await apt('install', '-y', 'redis-server');
    }
    catch {
        await apt('update').catch(() => undefined);
        await apt('install', '-y', 'redis-server').catch(() => undefined);
    }
    return isThere();
}
async function freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    if (typeof address !== 'object' || address === null)
        throw new Error('no port');
    return address.port;
}
/** Null where there is no `redis-server` and none can be installed. */
export async function startRedisServer() {
    if (!(await isThere()) && !(await install()))
        return null;
    const folder = await temporaryFolder();
    const port = await freePort();
    const url = `redis://127.0.0.1:${port}`;
    let server = null;
    async function start() {
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
        client.on('error', () => { });
        await client.ping();
        client.disconnect();
    }
    async function end(signal) {
        if (server === null)
            return;
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
        async stop() {
            await end('SIGTERM');
            await folder.remove();
        },
    };
}
/** Why no Redis is at hand, as it is printed. */
export const noRedis = 'REDIS_URL is not set and no redis-server can be had';
//# sourceMappingURL=redis-server.js.map