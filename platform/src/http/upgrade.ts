import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { failureBody } from './failure.js';

/** How long the socket of an upgrade that is not taken may stay without a sign, in milliseconds. */
const IDLE_MS = 30_000;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Who asks for a web socket waits for one; any other offer (h2c, a newer TLS) may be passed over, RFC 9110 7.8. */
const mayBePassedOver = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() !== 'websocket' && !hasBody(request);

function refuse(response: ServerResponse): void {
  const body = failureBody({ status: 400, message: 'This address takes no upgrade' });
  response.writeHead(400, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

/**
 * Answers the upgrades that nobody takes. Once anybody listens for upgrades, Node hands over the socket of
 * every request that has an `Upgrade` header and forgets it, whatever its path: one that is not answered
 * stays open for ever. An offer to speak another protocol gets the ordinary answer in this one, a web
 * socket or a body 400; the connection ends with it.
 *
 * @param takenPaths prefixes of paths whose upgrades others take who listen on the same server.
 */
export function answerUpgrades(server: Server, takenPaths: readonly string[], answer: Answer) {
  const isTaken = (request: IncomingMessage): boolean =>
    server.listenerCount('upgrade') > 1 &&
    takenPaths.some((prefix) => pathOf(request).startsWith(prefix));

  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (isTaken(request)) return;
    // The server has taken its own listeners off.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.setTimeout(IDLE_MS, () => socket.destroy());
    response.assignSocket(request.socket);
    response.once('finish', () => socket.end(() => socket.destroy()));
    // Whatever else is sent is thrown away; left unread it would take the answer with it.
    socket.resume();
    if (mayBePassedOver(request)) answer(request, response);
    else refuse(response);
  });
}
