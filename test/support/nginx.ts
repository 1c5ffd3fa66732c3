import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as next } from 'node:timers/promises';
import type { Owner } from '@oja/contracts';
import { haveProgram } from '../../platform/test/contracts/programs.js';
import { freePort, temporaryFolder } from './market.js';

export const script = join(import.meta.dirname, '../../scripts/edge.mjs');

/** Why there is no nginx, as a sentence to print; null if there is one. */
export async function missingNginx(): Promise<string | null> {
  const found = await haveProgram('nginx', { versionFlag: '-v', debian: 'nginx-light' });
  return found ? null : 'there is no nginx on this machine and none can be installed';
}

export interface Nginx {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Runs an nginx on a free port of 127.0.0.1. `configOf` returns its whole configuration, for that
 * port and a folder it can write to. Resolves once the port answers.
 */
export async function runNginx(
  configOf: (place: { readonly port: number; readonly folder: string }) => string,
): Promise<Nginx> {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder.path, 'nginx.conf');
  writeFileSync(file, configOf({ port, folder: folder.path }));
  const nginx = spawn('nginx', ['-c', file, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // What it says of services that break off is part of the tests, and nothing for whoever runs them.
  let said = '';
  nginx.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(nginx, 'exit');
  // A TLS port answers a plain request too, with 400.
  const isOpen = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );
  while (!(await isOpen())) {
    if (nginx.exitCode !== null) throw new Error(`nginx has refused its configuration: ${said}`);
    await next();
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

/** A real nginx with the edge's own configuration, before copies of the services at these ports of 127.0.0.1. */
export const openNginx = (ports: Readonly<Record<Owner, readonly number[]>>): Promise<Nginx> =>
  runNginx(({ port, folder }) => {
    const services = Object.entries(ports).map(
      ([name, all]) => `--${name}=${all.map((at) => `127.0.0.1:${at}`).join(',')}`,
    );
    const args = ['--print', `--listen=127.0.0.1:${port}`, `--temp=${folder}`, ...services];
    return execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  });
