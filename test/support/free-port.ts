import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports for outgoing connections (from 32,768 on Linux, from 49,152 elsewhere) and above
 * well-known ones: while a killed service is away, no other process is given its port.
 */
const FIRST = 15_000;
const LAST = 32_000;
const TRIES = 100;
const given = new Set<number>();

/** A port on which nobody listens now. This process returns each port only once. */
export async function freePort(): Promise<number> {
  for (let left = TRIES; left > 0; left -= 1) {
    const port = randomInt(FIRST, LAST);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port between ${FIRST} and ${LAST}`);
}

/** Checks every address: a server on one address leaves the port free on the others. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
