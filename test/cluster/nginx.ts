import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { freePort, temporaryFolder } from '../support/market.js';

export const script = join(import.meta.dirname, '../../scripts/edge.mjs');

/** Why no nginx is at hand, as it is printed; null: there is one. */
export function missingNginx(): string | null {
  return spawnSync('nginx', ['-v']).status === 0 ? null : 'there is no nginx on this machine';
}

/** A service that says who it is and what it was asked; it also takes web sockets. */
export async function openEcho(name: string): Promise<Server> {
  const server = createServer((asked, answer) => {
    asked.resume();
    answer.setHeader('Content-Type', 'application/json');
    const { method, url, headers } = asked;
    answer.end(JSON.stringify({ name, method, url, headers }));
  });
  server.on('upgrade', (_, socket) => {
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Name: ${name}\r\n\r\n`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function placeOf(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  return `127.0.0.1:${address.port}`;
}

/** A real nginx with the edge's own configuration, before these services. */
export async function openNginx(
  command: Server,
  query: Server,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const folder = temporaryFolder();
  const port = await freePort();
  const options = {
    listen: `127.0.0.1:${port}`,
    temp: folder.path,
    'command-service': placeOf(command),
    'query-service': placeOf(query),
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const file = join(folder.path, 'edge.conf');
  writeFileSync(file, execFileSync(process.execPath, [script, '--print', ...args]));
  const nginx = spawn('nginx', ['-c', file, '-g', 'daemon off;'], { stdio: 'inherit' });
  const ended = once(nginx, 'exit');
  const isOpen = async (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isOpen())) {
    if (nginx.exitCode !== null) throw new Error('nginx has refused its configuration');
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    port,
    async close() {
      nginx.kill('SIGTERM');
      await ended;
      folder.remove();
    },
  };
}
