import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort, runOja, temporaryFolder } from '../support/market.js';
import { openProvider } from '../support/provider.js';

/** The market's public host name; it is never resolved. */
export const HOST = 'market.example';
const PRELOAD = join(import.meta.dirname, '../../test/siege/measure.mjs');
const MEGABYTE = 1_048_576;

/** What the market holds: open sockets, and memory in MB; `heap` is measured after garbage collection. */
export interface Holding {
  readonly sockets: number;
  readonly heap: number;
  readonly memory: number;
}

/** A whole market outside a demo, with a payment provider of its own. */
export interface Besieged {
  readonly port: number;
  /** Presses Pay on the checkout page at this address. */
  pay(address: string): Promise<void>;
  holding(): Promise<Holding>;
  close(): Promise<void>;
}

/** Counts a process's open sockets. Linux only. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const isSocket = (fd: string) => {
    try {
      return readlinkSync(`${folder}/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  };
  return readdirSync(folder).filter(isSocket).length;
}

export async function openBesieged(): Promise<Besieged> {
  const folder = temporaryFolder();
  const port = await freePort();
  const secret = `sk_test_${randomBytes(16).toString('hex')}`;
  const provider = await openProvider(secret, port, (error) => console.error(error));
  const market = runOja(['start'], {
    NODE_OPTIONS: `--import=${pathToFileURL(PRELOAD).href}`,
    DATA_DIR: folder.path,
    PORT: `${port}`,
    HOST: '127.0.0.1',
    OJA_DEMO: 'off',
    PUBLIC_URL: `https://${HOST}`,
    TRUSTED_PROXY: '127.0.0.1',
    PAYSTACK_URL: provider.url,
    PAYSTACK_SECRET: secret,
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    KEYS_MASTER_KEY: randomBytes(32).toString('hex'),
  });
  await market.line(/^Oja is open at /);
  let asked = 0;
  return {
    port,
    async pay(address) {
      const answer = await fetch(`${address}/pay`, { method: 'POST', redirect: 'manual' });
      await answer.body?.cancel();
    },
    async holding() {
      asked += 1;
      market.process.kill('SIGUSR2');
      const said = await market.line(new RegExp(`^measured ${asked}: `));
      const [heap = 0, memory = 0] = said.split(': ')[1]?.split(' ').map(Number) ?? [];
      return {
        sockets: socketsOf(market.process.pid ?? 0),
        heap: Math.round(heap / MEGABYTE),
        memory: Math.round(memory / MEGABYTE),
      };
    },
    async close() {
      await market.stop();
      await provider.close();
      folder.remove();
    },
  };
}
