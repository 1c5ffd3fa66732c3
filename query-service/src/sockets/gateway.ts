import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Person } from '@oja/contracts';
import { SOCKET_REGISTER } from '@oja/contracts/wire';
import { clientAddressOf, createLocalRateLimiter, type Identity, type RateRule } from '@oja/http';
import { addressBlock, addressSet, type Clock, createLimitLog, type Logger } from '@oja/platform';
import { Server, type Socket } from 'socket.io';
import type { Authenticator } from '../authenticate.js';

/** The longest message a client may send, in bytes. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/**
 * How many connections of one address may be open before they are authenticated. That takes the
 * time of one message, so even a whole town behind one address, which reconnects after a restart,
 * stays below it.
 */
const MAX_UNAUTHENTICATED = 100;
/** How long a connection may stay unauthenticated, in milliseconds. */
const UNAUTHENTICATED_MS = 10_000;
/** Open connections per seller, one for each tab. */
const MAX_PER_SELLER = 50;
/** The name of the limit on open connections in the security log. */
const AT_ONCE = 'sockets-at-once';

interface ToServer {
  register(sellerId: unknown): void;
}
interface ToClient {
  notification(notice: { readonly message: string }): void;
  rights(): void;
}
interface SocketData {
  token: string;
  sellerId: string;
}
export type Gateway = Server<ToServer, ToClient, Record<never, never>, SocketData>;

export type GatewaySocket = Socket<ToServer, ToClient, Record<never, never>, SocketData>;

interface GatewayOptions {
  readonly authenticator: Pick<Authenticator, 'byToken'>;
  readonly publicUrl: string;
  /** Addresses of proxies that are trusted to say where a connection comes from. */
  readonly trustedProxy: readonly string[];
  /** How often an address may connect; null (demo): no limit. */
  readonly connectRule: RateRule | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

const roomOf = (sellerId: string) => `seller ${sellerId}`;

/** A refused handshake, as the client sees it. The code says whether a fresh token would help. */
class Refused extends Error {
  readonly data: { readonly code: string };

  constructor(message: string, code: string) {
    super(message);
    this.data = { code };
  }
}

function refusalOf(identity: Exclude<Identity<Person>, { kind: 'actor' }>): Refused {
  if (identity.kind === 'nobody') return new Refused('Please log in', 'not_logged_in');
  const { message, code = 'not_logged_in' } = identity.failed;
  return new Refused(message, code);
}

const tokenOf = (auth: Readonly<Record<string, unknown>>): string =>
  typeof auth.token === 'string' ? auth.token : '';

/** Counts what is open by key, up to `most` for each key. */
function createQuota(most: number) {
  const taken = new Map<string, number>();
  return {
    /** Returns false when all places are taken. */
    take(key: string): boolean {
      const count = taken.get(key) ?? 0;
      if (count >= most) return false;
      taken.set(key, count + 1);
      return true;
    },
    giveBack(key: string): void {
      const left = (taken.get(key) ?? 0) - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    },
  };
}

/** Decides who may connect at all, by origin and address, before they are authenticated. */
function createConnectGuard({
  trustedProxy,
  connectRule,
  clock,
  logger,
  publicUrl,
}: GatewayOptions) {
  const { origin: ours } = new URL(publicUrl);
  const isTrusted = addressSet(trustedProxy);
  const limiter = createLocalRateLimiter();
  const limited = createLimitLog(logger);
  const nobodys = createQuota(MAX_UNAUTHENTICATED);
  const leaving = new WeakMap<IncomingMessage, () => void>();

  /** Takes a place until the connection is authenticated or closed; false when all are taken. */
  function wait(request: IncomingMessage, block: string): boolean {
    if (request.socket.destroyed || !nobodys.take(block)) return false;
    leaving.set(request, () => {
      leaving.delete(request);
      nobodys.giveBack(block);
    });
    request.socket.once('close', () => leaving.get(request)?.());
    return true;
  }

  return {
    async isOpenTo(request: IncomingMessage): Promise<boolean> {
      const { origin } = request.headers;
      if (origin !== undefined && origin !== ours) return false;
      const clientAddress = clientAddressOf(request, isTrusted);
      const block = addressBlock(clientAddress);
      const isRare =
        connectRule === null || (await limiter.hit(connectRule, block, clock.now())).allowed;
      if (isRare && wait(request, block)) return true;
      const rule = isRare || connectRule === null ? AT_ONCE : connectRule.name;
      limited({ rule, actor: null, clientAddress });
      return false;
    },
    passed: (request: IncomingMessage) => leaving.get(request)?.(),
  };
}

/**
 * The socket.io server. The token of the handshake says who connects, and a client gets its
 * messages once it has sent `register` with its own seller id. A page of another origin cannot
 * connect. Connections that are not authenticated are limited for each address, and in time.
 */
export function openGateway(server: HttpServer, options: GatewayOptions): Gateway {
  const { authenticator } = options;
  const guard = createConnectGuard(options);
  const ofSellers = createQuota(MAX_PER_SELLER);
  const gateway: Gateway = new Server(server, {
    path: '/socket.io/',
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: UNAUTHENTICATED_MS,
    // Upgrade requests on other paths are left to others.
    destroyUpgrade: false,
    allowRequest: (request, decide) => {
      guard.isOpenTo(request).then(
        (isOpen) => decide(null, isOpen),
        () => decide(null, false),
      );
    },
  });

  // Otherwise a web socket waits half a minute for a client that does not answer the close.
  gateway.engine.on('connection', (line: GatewaySocket['conn']) => {
    line.once('close', () => line.request.socket.destroySoon());
  });

  gateway.use((socket, next) => {
    const refuse = (refusal: Refused) => {
      next(refusal);
      // Only after the refusal is sent. A browser hangs up by itself, and comes back with a fresh token.
      setImmediate(() => socket.conn.close());
    };
    const token = tokenOf(socket.handshake.auth);
    authenticator.byToken(token).then((identity) => {
      if (identity.kind !== 'actor') return refuse(refusalOf(identity));
      // It hung up meanwhile: no close would give its place back. socket.io clears it away.
      if (socket.conn.readyState !== 'open') return next();
      const { sellerId } = identity.actor;
      if (!ofSellers.take(sellerId))
        return refuse(new Refused('Too many pages are open', 'too_many'));
      socket.conn.once('close', () => ofSellers.giveBack(sellerId));
      socket.data = { token, sellerId };
      guard.passed(socket.request);
      return next();
    }, next);
  });

  gateway.on('connection', (socket) => {
    socket.on(SOCKET_REGISTER, (sellerId) => {
      if (sellerId === socket.data.sellerId) void socket.join(roomOf(socket.data.sellerId));
      else socket.disconnect(true);
    });
  });
  return gateway;
}

/** The sockets in this process that have registered as this seller; without a seller, all connected ones. */
export function socketsOf(gateway: Gateway, sellerId?: string): readonly GatewaySocket[] {
  const connected = gateway.sockets.sockets;
  if (sellerId === undefined) return [...connected.values()];
  const ids = [...(gateway.sockets.adapter.rooms.get(roomOf(sellerId)) ?? [])];
  return ids.flatMap((id) => connected.get(id) ?? []);
}
