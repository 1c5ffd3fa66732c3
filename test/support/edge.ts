import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { calls, doors, type Owner, routeTable } from '@oja/contracts';

const table = routeTable(Object.values(calls));

/** Which service a request goes to, from the same table that the services' routers are made of. */
export function ownerOf(method: string, path: string): Owner {
  const found = table.find(method, path);
  if (found.kind === 'found') return found.call.owner;
  const door = doors
    .filter(({ prefix }) => path.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0];
  if (!door) throw new Error(`no door for ${path}`);
  return door.owner;
}

export interface Edge {
  close(): Promise<void>;
}

/** A proxy as small as one can be, before services that listen on ports of their own. */
export function openEdge(port: number, ports: Readonly<Record<Owner, number>>): Promise<Edge> {
  const target = (incoming: IncomingMessage) => {
    const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/';
    return ports[ownerOf(incoming.method ?? 'GET', path)];
  };
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = request({ port: target(incoming), method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      // A service that dies in the middle of its answer breaks the connection off.
      pipeline(answer, outgoing, () => {});
    });
    onward.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    incoming.pipe(onward);
  });
  server.on('upgrade', (incoming, socket, head) => {
    const onward = connect({ port: target(incoming) }, () => {
      const lines = incoming.rawHeaders.map((part, i) => (i % 2 ? `${part}\r\n` : `${part}: `));
      onward.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', () =>
      resolve({
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      }),
    );
  });
}
