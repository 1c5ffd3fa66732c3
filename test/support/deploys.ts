import { readdirSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';

const ASSETS = join(import.meta.dirname, '../../web/dist/assets');
const TEXT = /html|javascript|css|json/;

/** A pattern that matches every hashed name of the build. */
function hashedNames(): RegExp {
  const names = readdirSync(ASSETS).filter((name) =>
    /-[\w-]{7,8}\.(js|css|woff2|webp)$/.test(name),
  );
  const stems = names.map((name) => name.replace(/\.\w+$/, ''));
  return new RegExp(`(${stems.join('|')})(?:\\.next)?(?=\\.(?:js|css|woff2|webp))`, 'g');
}

export interface Deploys {
  /** Serves the build under new names from now on, like one in which every file has changed. */
  deploy(options: { readonly keepsPrevious: boolean }): void;
  /** Takes the whole market off the network. */
  close(): Promise<void>;
}

/**
 * A proxy before a market that can simulate a deploy: the same build, with another hash in every
 * name. One build is enough to test a tab of the old one, and both serve the files of the market.
 */
export async function openDeploys(port: number, marketPort: number): Promise<Deploys> {
  const names = hashedNames();
  let isNext = false;
  let keepsPrevious = true;

  /** The text with the asset names of the current build. */
  const spelled = (text: string) => (isNext ? text.replace(names, '$1.next') : text);

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const asked = incoming.url ?? '/';
    const isOld = asked.startsWith('/assets/') && !asked.includes('.next.');
    if (isNext && isOld && names.test(asked) && !keepsPrevious) {
      names.lastIndex = 0;
      outgoing.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
      return;
    }
    names.lastIndex = 0;
    // Drop the validators: the market would answer 304 for a text that is rewritten here.
    const { 'if-none-match': _tag, 'if-modified-since': _since, ...asking } = incoming.headers;
    const headers = { ...asking, 'accept-encoding': 'identity' };
    const path = asked.replace('.next.', '.');
    const onward = request(
      { port: marketPort, agent: false, method: incoming.method, path, headers },
      (answer) => {
        const rewrites = !isOld && TEXT.test(answer.headers['content-type'] ?? '');
        const {
          'content-length': _length,
          etag: _etag,
          'last-modified': _at,
          ...others
        } = answer.headers;
        const status = answer.statusCode ?? 502;
        if (!rewrites) {
          outgoing.writeHead(status, answer.headers);
          answer.pipe(outgoing);
          return;
        }
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          outgoing.writeHead(status, others);
          outgoing.end(spelled(Buffer.concat(chunks).toString()));
        });
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }

  const server: Server = createServer(pass);
  // Browsers open connections in advance; a closing server would wait for them.
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return {
    deploy(options) {
      isNext = true;
      keepsPrevious = options.keepsPrevious;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
