import type { Server as HttpServer } from 'node:http';
import { noticeMessage } from '@oja/contracts/models';
import { SOCKET_NOTIFICATION, SOCKET_RIGHTS } from '@oja/contracts/wire';
import type { sellerEvents } from '@oja/domain';
import type { RecordedEvent } from '@oja/platform';
import type { Authenticator } from '../authenticate.js';
import type { QueryServiceDeps } from '../deps.js';
import type { Reader } from '../models/reader.js';
import { connectRuleOf } from '../rate-rules.js';
import { type Gateway, type GatewaySocket, openGateway, socketsOf } from './gateway.js';
import { hasCome, noticeOf, sellersOf } from './paid-orders.js';
import { tail } from './tail.js';

/** How often the tokens of all that are connected are looked at, in milliseconds. */
const LOOK_MS = 5_000;

/** The events that change what a seller may do. */
const RIGHTS = [
  'SellerSuspended',
  'SellerReinstated',
  'SubAdminGranted',
  'SubAdminRevoked',
  'HeadAdminGranted',
  'HeadAdminRevoked',
] as const satisfies readonly (keyof typeof sellerEvents)[];

type HintsDeps = Pick<
  QueryServiceDeps,
  'eventStore' | 'documents' | 'logger' | 'publicUrl' | 'trustedProxy' | 'clock' | 'settings'
> & {
  readonly reader: Reader;
  readonly authenticator: Pick<Authenticator, 'byToken'>;
};

export interface Hints {
  attach(server: HttpServer): void;
  /** Hangs up on everybody and stops listening to the log. */
  close(): Promise<void>;
}

/**
 * Tells sellers who are connected to this process of orders that were paid, and of what they may do from now on, once
 * they can read of it.
 * At most once, and nothing is kept: a hint to look again, which a page does anyway when it connects.
 */
export function createHints(deps: HintsDeps): Hints {
  const { authenticator, eventStore, logger } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const gateways: Gateway[] = [];
  const connectRule = connectRuleOf(deps.settings);

  const connected = (sellerId?: string) =>
    gateways.flatMap((gateway) => socketsOf(gateway, sellerId));

  /** Closes the line of a token that has ended: its page comes back with a fresh one. */
  async function isEntitled(socket: GatewaySocket): Promise<boolean> {
    const identity = await authenticator.byToken(socket.data.token);
    if (identity.kind === 'actor') return true;
    socket.conn.close();
    return false;
  }

  async function tell(sellerId: string, transactionId: string): Promise<void> {
    const notice = await noticeOf(deps, sellerId, transactionId);
    if (notice === null) return;
    const message = noticeMessage(notice.lines);
    for (const socket of connected(sellerId)) {
      if (await isEntitled(socket)) socket.emit(SOCKET_NOTIFICATION, { message });
    }
  }

  async function heardOfOrder({ stream, position }: RecordedEvent): Promise<void> {
    const sellers = await sellersOf(deps, stream);
    if (!sellers.some((id) => connected(id).length > 0)) return;
    if (!(await hasCome(deps, 'notifications', position, signal))) return;
    const transactionId = stream.slice(stream.indexOf('-') + 1);
    for (const id of sellers) await tell(id, transactionId);
  }

  /** Whoever was promoted, demoted or suspended sees it on the page that is open. */
  async function heardOfRights({ stream, position }: RecordedEvent): Promise<void> {
    const sellerId = stream.slice(stream.indexOf('-') + 1);
    if (connected(sellerId).length === 0) return;
    if (!(await hasCome(deps, 'sellers', position, signal))) return;
    for (const socket of connected(sellerId)) {
      if (await isEntitled(socket)) socket.emit(SOCKET_RIGHTS);
    }
  }

  const types = ['PaymentVerified', ...RIGHTS];
  const heard = (event: RecordedEvent) =>
    event.type === 'PaymentVerified' ? heardOfOrder(event) : heardOfRights(event);
  const listening = tail({ eventStore, types, logger, signal, heard });
  const looking = setInterval(() => {
    Promise.all(connected().map(isEntitled)).catch((error: unknown) => {
      logger.warn({ err: error }, 'the tokens of sockets could not be looked at');
    });
  }, LOOK_MS);
  looking.unref();

  return {
    attach: (server) => void gateways.push(openGateway(server, { ...deps, connectRule })),
    async close() {
      stopping.abort();
      clearInterval(looking);
      for (const gateway of gateways) gateway.disconnectSockets(true);
      for (const gateway of gateways) gateway.engine.close();
      await listening;
    },
  };
}
