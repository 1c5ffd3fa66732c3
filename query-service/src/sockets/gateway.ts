import type { Server as HttpServer } from 'node:http';
import type { Person } from '@oja/contracts';
import { SOCKET_REGISTER } from '@oja/contracts/wire';
import type { Identity } from '@oja/http';
import { Server, type Socket } from 'socket.io';
import type { Authenticator } from '../authenticate.js';

/** The longest message a client may send, in bytes. */
const MAX_MESSAGE_BYTES = 64 * 1024;

interface ToServer {
  register(sellerId: unknown): void;
}
interface ToClient {
  notification(notice: { readonly message: string }): void;
}
interface Held {
  token: string;
  sellerId: string;
}
export type Gateway = Server<ToServer, ToClient, Record<never, never>, Held>;

export type GatewaySocket = Socket<ToServer, ToClient, Record<never, never>, Held>;

interface GatewayOptions {
  readonly authenticator: Pick<Authenticator, 'byToken'>;
  readonly publicUrl: string;
}

const roomOf = (sellerId: string) => `seller ${sellerId}`;

/** Why a handshake was refused, as the client hears it; the code says whether a fresh token would help. */
class Refused extends Error {
  readonly data: { readonly code: string };

  constructor(identity: Exclude<Identity<Person>, { kind: 'actor' }>) {
    super(identity.kind === 'refused' ? identity.failed.message : 'Please log in');
    const code = identity.kind === 'refused' ? identity.failed.code : undefined;
    this.data = { code: code ?? 'not_logged_in' };
  }
}

const tokenOf = (auth: Readonly<Record<string, unknown>>): string =>
  typeof auth.token === 'string' ? auth.token : '';

/**
 * The socket.io server: who connects is told by the token of the handshake, and hears what is theirs
 * once they said `register` with their own id. A page of another origin cannot connect.
 */
export function openGateway(server: HttpServer, options: GatewayOptions): Gateway {
  const { authenticator, publicUrl } = options;
  const { origin: ours } = new URL(publicUrl);
  const gateway: Gateway = new Server(server, {
    path: '/socket.io/',
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    // Further paths of the server are for others to answer.
    destroyUpgrade: false,
    allowRequest: ({ headers }, decide) =>
      decide(null, headers.origin === undefined || headers.origin === ours),
  });

  gateway.use((socket, next) => {
    const token = tokenOf(socket.handshake.auth);
    authenticator.byToken(token).then((identity) => {
      if (identity.kind !== 'actor') return next(new Refused(identity));
      socket.data = { token, sellerId: identity.actor.sellerId };
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

/** Who is connected here and has registered as this seller; nobody named: whoever is connected. */
export function socketsOf(gateway: Gateway, sellerId?: string): readonly GatewaySocket[] {
  const connected = gateway.sockets.sockets;
  if (sellerId === undefined) return [...connected.values()];
  const ids = [...(gateway.sockets.adapter.rooms.get(roomOf(sellerId)) ?? [])];
  return ids.flatMap((id) => connected.get(id) ?? []);
}
