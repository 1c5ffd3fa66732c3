import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import type { Duplex } from 'node:stream';
import { failureBody } from './answer.js';
import { hasBody } from './call-input.js';
import type { App } from './types.js';

const HEADERS_TIMEOUT_MS = 20_000;
const KEEP_ALIVE_MS = 65_000;
/**
 * How long a connection may be idle, in milliseconds: longer than any call takes to answer. A client that
 * never reads its answer would otherwise hold a socket and its write buffer for ever.
 */
const IDLE_MS = 150_000;
/**
 * How long the rest of a request may still arrive after it was answered, in milliseconds. A browser reads
 * the answer once it has sent its body; a client that keeps sending only holds a socket.
 */
const LINGER_MS = 30_000;
/** How long running requests may take when the listener closes. */
const GRACE_MS = 10_000;

interface ListenerOptions {
  /** 0 picks any free port. */
  readonly port: number;
  /** Empty: all addresses of the machine. Addresses after the first are skipped if the machine lacks them. */
  readonly hosts: readonly string[];
  /** Path prefixes whose upgrades an attached library handles. The listener answers all others. */
  readonly upgradePaths?: readonly string[];
  /** How long a connection may be idle, in milliseconds. Default 150 s. */
  readonly idleMs?: number;
  /** How long the rest of an answered request may still arrive, in milliseconds. Default 30 s. */
  readonly lingerMs?: number;
  /** How much may wait in memory to be read by clients. */
  readonly unread?: UnreadOptions;
}

type ListenResult =
  | { readonly ok: true; readonly port: number }
  /** `message` is one sentence that tells the operator what to do. */
  | { readonly ok: false; readonly message: string };

export interface Listener {
  /** For socket.io to attach to. Connections of all addresses reach this server. */
  readonly server: Server;
  listen(): Promise<ListenResult>;
  /**
   * Stops accepting connections, ends those that were upgraded, and waits for running requests, at most `graceMs`
   * (default 10,000).
   */
  close(graceMs?: number): Promise<void>;
}

function bind(
  server: NetServer,
  port: number,
  host?: string,
): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error);
    server.once('error', failed);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', failed);
      resolve(null);
    });
  });
}

function portOf(server: NetServer): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const closeServer = (server: NetServer): Promise<void> =>
  new Promise((resolve) => {
    if (server.listening) server.close(() => resolve());
    else resolve();
  });

const MISSING_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

function listenErrorMessage(
  error: NodeJS.ErrnoException,
  port: number,
  host = 'this machine',
): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken: stop what uses it, or set PORT to another one.`;
    case 'EACCES':
      return `Port ${port} is not yours to use: set PORT to one above 1023.`;
    default:
      return `Port ${port} of ${host} cannot be used (${error.code}): set HOST or PORT.`;
  }
}

/** Closes the connection of a client that still sends its request after the answer. */
function closeUnfinishedRequest(
  request: IncomingMessage,
  response: ServerResponse,
  lingerMs: number,
): void {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), lingerMs);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
  });
}

/**
 * Creates one HTTP server on one or more addresses. It waits 20 s for headers and closes idle
 * connections. The middleware limits how long bodies and answers may take, because uploads that make
 * progress have no limit. A client cannot hold a socket by sending on after the answer.
 */
export function createListener(
  app: App,
  {
    port,
    hosts,
    upgradePaths = [],
    idleMs = IDLE_MS,
    lingerMs = LINGER_MS,
    unread,
  }: ListenerOptions,
): Listener {
  const handle = app.callback();
  let closing = false;
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: 0, connectionsCheckingInterval: 5_000 },
    answer,
  );
  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (closing) response.setHeader('Connection', 'close');
    // A request that began before closing was told to keep its connection, which is idle now.
    response.once('close', () => closing && server.closeIdleConnections());
    closeUnfinishedRequest(request, response, lingerMs);
    void handle(request, response);
  }
  const upgraded = answerUpgrades(server, upgradePaths, answer);
  server.timeout = idleMs;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', answerUnreadable);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const stopDropping = dropUnreadAnswers(sockets, unread);
  /** Listeners for the other addresses; they pass their connections to the one server. */
  const listening: NetServer[] = [];

  const closeAll = () => Promise.all([closeServer(server), ...listening.map(closeServer)]);

  async function listen(): Promise<ListenResult> {
    const [first, ...others] = hosts;
    const error = await bind(server, port, first);
    if (error !== null) return { ok: false, message: listenErrorMessage(error, port, first) };
    const chosen = portOf(server);
    for (const host of others) {
      const one = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit('connection', socket),
      );
      const failed = await bind(one, chosen, host);
      if (failed === null) listening.push(one);
      else if (!MISSING_ADDRESS.has(failed.code ?? '')) {
        await closeAll();
        return { ok: false, message: listenErrorMessage(failed, chosen, host) };
      }
    }
    return { ok: true, port: chosen };
  }

  return {
    server,
    listen,
    async close(graceMs = GRACE_MS) {
      closing = true;
      const closed = closeAll();
      server.closeIdleConnections();
      // Nothing on them is a request to wait for, and their clients would hold them for ever.
      for (const socket of upgraded) socket.destroySoon();
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(timer);
      stopDropping();
    },
  };
}

/** How long the socket of an upgrade request that we answer ourselves may be idle, in milliseconds. */
const UPGRADE_IDLE_MS = 30_000;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

/** A WebSocket client needs an upgrade. Other offers (h2c, a newer TLS) may be ignored (RFC 9110, 7.8). */
const isIgnorableUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() !== 'websocket' && !hasBody(request);

function refuseUpgrade(response: ServerResponse): void {
  const body = failureBody({ status: 400, message: 'This address takes no upgrade' });
  response.writeHead(400, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

/**
 * Answers the upgrade requests that no library handles. Once the server has any 'upgrade' listener, Node
 * hands over the socket of every request with an `Upgrade` header, whatever its path; a socket that is
 * not answered would stay open for ever. An offer of another protocol gets the ordinary HTTP answer; a
 * WebSocket request, or a request with a body, gets a 400. The connection is closed after.
 * @param takenPaths path prefixes whose upgrades another listener on the same server handles.
 * @returns the open sockets that it left to that listener
 */
function answerUpgrades(
  server: Server,
  takenPaths: readonly string[],
  answer: Answer,
): ReadonlySet<Socket> {
  const taken = new Set<Socket>();
  const isTaken = (request: IncomingMessage): boolean =>
    server.listenerCount('upgrade') > 1 &&
    takenPaths.some((prefix) => pathOf(request).startsWith(prefix));

  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (isTaken(request)) {
      taken.add(request.socket);
      socket.once('close', () => taken.delete(request.socket));
      return;
    }
    // The server has removed its own error listeners from this socket.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.setTimeout(UPGRADE_IDLE_MS, () => socket.destroy());
    response.assignSocket(request.socket);
    response.once('finish', () => socket.end(() => socket.destroy()));
    // Discard further input: closing with unread input would reset the connection and lose the answer.
    socket.resume();
    if (isIgnorableUpgrade(request)) answer(request, response);
    else refuseUpgrade(response);
  });
  return taken;
}

const ANSWERS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};
const UNREADABLE = ['400 Bad Request', 'The request could not be understood'] as const;

/** Answers input that is not valid HTTP, and closes the connection. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = ANSWERS[error.code ?? ''] ?? UNREADABLE;
  const body = JSON.stringify(failureBody({ status: Number.parseInt(status, 10), message }));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n` +
      `X-Content-Type-Options: nosniff\r\n\r\n${body}`,
  );
}

/** Bytes that may wait in memory for their clients, of all connections together. */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;
/** How often they are counted, in milliseconds. */
const CHECK_EVERY_MS = 1_000;

interface UnreadOptions {
  /** Default 256 MiB. */
  readonly mostBytes?: number;
  /** Default one second. */
  readonly checkEveryMs?: number;
}

interface SocketProgress {
  /** How many bytes the system had taken from us for the client. */
  readonly taken: number;
  /** How many checks in a row this has not changed. */
  readonly checks: number;
}

/**
 * Keeps answers that clients do not read from filling the memory: each connection holds its answer
 * until it is read or the connection has been idle for long, and one client may open thousands.
 * When all of them hold too much, connections are cut, first those that have not moved for the longest time.
 * Returns a function that stops it.
 */
function dropUnreadAnswers(
  sockets: ReadonlySet<Socket>,
  { mostBytes = MAX_UNREAD_BYTES, checkEveryMs = CHECK_EVERY_MS }: UnreadOptions = {},
): () => void {
  const seen = new WeakMap<Socket, SocketProgress>();

  function check(): void {
    const holding = [...sockets]
      .filter(({ writableLength }) => writableLength > 0)
      .map((socket) => {
        const bytes = socket.writableLength;
        const taken = socket.bytesWritten - bytes;
        const before = seen.get(socket);
        const checks = before?.taken === taken ? before.checks + 1 : 0;
        seen.set(socket, { taken, checks });
        return { socket, bytes, checks };
      });
    let held = holding.reduce((sum, { bytes }) => sum + bytes, 0);
    if (held <= mostBytes) return;
    for (const { socket, bytes } of holding.sort(
      (one, other) => other.checks - one.checks || other.bytes - one.bytes,
    )) {
      if (held <= mostBytes) return;
      socket.destroy();
      held -= bytes;
    }
  }

  const checking = setInterval(check, checkEveryMs);
  checking.unref();
  return () => clearInterval(checking);
}
