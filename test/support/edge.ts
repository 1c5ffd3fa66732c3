import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { calls, type Owner, routePrefixes, routeTable } from '@oja/contracts';

const table = routeTable(Object.values(calls));

/** The service that owns a request, from the same table that the services' routers are built from. */
export function ownerOf(method: string, path: string): Owner {
  const found = table.find(method, path);
  if (found.kind === 'found') return found.call.owner;
  const longest = routePrefixes
    .filter(({ prefix }) => path.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0];
  if (!longest) throw new Error(`no prefix for ${path}`);
  return longest.owner;
}

export interface Edge {
  close(): Promise<void>;
}

/** The ports of each service's copies. */
export type Ports = Readonly<Record<Owner, readonly number[]>>;

/** Connects to a service's copies in turn, and to the next one if a copy does not answer. */
function createTurns(): (ports: readonly number[]) => Promise<Socket> {
  let turn = 0;
  return async (ports) => {
    turn += 1;
    for (const [tries] of ports.entries()) {
      const socket = connect({ port: ports[(turn + tries) % ports.length] ?? 0 });
      const isThere = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (isThere) return socket;
    }
    throw new Error(`nobody listens on ${ports.join(' or ')}`);
  };
}

/** A minimal proxy before services that listen on ports of their own. */
export function openEdge(port: number, ports: Ports): Promise<Edge> {
  const reach = createTurns();
  const target = (incoming: IncomingMessage) => {
    const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/';
    return reach(ports[ownerOf(incoming.method ?? 'GET', path)]);
  };

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url, headers } = incoming;
    const failed = () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    };
    const socket = await target(incoming).catch(() => null);
    if (socket === null) return failed();
    const createConnection = () => socket;
    const onward = request({ createConnection, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      // If a service dies in the middle of its answer, the connection breaks.
      pipeline(answer, outgoing, () => socket.destroy());
    });
    onward.on('error', failed);
    incoming.pipe(onward);
  }

  async function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    const onward = await target(incoming).catch(() => null);
    if (onward === null) return void socket.destroy();
    const lines = incoming.rawHeaders.map((part, i) => (i % 2 ? `${part}\r\n` : `${part}: `));
    onward.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    onward.write(head);
    pipeline(socket, onward, () => undefined);
    pipeline(onward, socket, () => undefined);
  }

  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  // The server does not track upgraded connections, so they are closed by hand.
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (incoming, socket, head) => void upgrade(incoming, socket, head));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', () =>
      resolve({
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of sockets) socket.destroy();
          }),
      }),
    );
  });
}
