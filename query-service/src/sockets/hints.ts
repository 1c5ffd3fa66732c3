import type { Server as HttpServer } from 'node:http';
import { type NotificationDocument, noticedEvents, noticeId } from '@oja/contracts/models';
import { SOCKET_NOTIFICATION, SOCKET_RIGHTS } from '@oja/contracts/wire';
import { type sellerEvents, streamSubject, transaction } from '@oja/domain';
import { MINUTE_MS } from '@oja/domain/rules';
import type { RateRule } from '@oja/http';
import { hasPassed, type Position, pause, type RecordedEvent } from '@oja/platform';
import type { Authenticator } from '../authenticate.js';
import type { QueryServiceDeps } from '../deps.js';
import type { Reader } from '../read-models.js';
import { type Gateway, type GatewaySocket, openGateway, socketsOf } from './gateway.js';

/** How often the tokens of all that are connected are looked at, in milliseconds. */
const LOOK_MS = 5_000;

/** How long a tail of the log that broke waits before it takes hold again, in milliseconds. */
const PAUSE_MS = 1_000;

/** The events that change what a seller may do. */
const RIGHTS = [
  'SellerSuspended',
  'SellerReinstated',
  'SubAdminGranted',
  'SubAdminRevoked',
  'HeadAdminGranted',
  'HeadAdminRevoked',
] as const satisfies readonly (keyof typeof sellerEvents)[];
const isAboutRights = (type: string) => RIGHTS.some((each) => each === type);
const isNoticed = (type: string) => noticedEvents.some((each) => each === type);

type HintsDeps = Pick<
  QueryServiceDeps,
  'eventStore' | 'documents' | 'logger' | 'publicUrl' | 'trustedProxy' | 'clock' | 'settings'
> & {
  readonly reader: Reader;
  readonly authenticator: Pick<Authenticator, 'byToken'>;
};

interface Hints {
  attach(server: HttpServer): void;
  /** Hangs up on everybody and stops listening to the log. */
  close(): Promise<void>;
}

interface TailOptions extends Pick<HintsDeps, 'eventStore' | 'logger'> {
  readonly types: readonly string[];
  readonly signal: AbortSignal;
  /** One at a time, in the order of the log. An event that it throws for is passed over. */
  heard(event: RecordedEvent): Promise<void>;
}

/** Hears what is appended from now on, of these types, until the signal aborts. */
async function tail({ eventStore, types, logger, signal, heard }: TailOptions) {
  let after: Position | null = null;
  let knowsWhere = false;
  while (!signal.aborted) {
    try {
      if (!knowsWhere) after = await eventStore.head();
      knowsWhere = true;
      for await (const item of eventStore.subscribe({ after, signal, types })) {
        if (item.kind === 'caught-up') continue;
        after = item.kind === 'event' ? item.event.position : item.position;
        if (item.kind === 'event') await heard(item.event);
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error }, 'the tail of the log broke off');
      await pause(PAUSE_MS, signal);
    }
  }
}

/** Whom an event may concern, from its own stream: no read model needs to have come so far. */
async function sellersOf(
  { eventStore }: Pick<HintsDeps, 'eventStore'>,
  { stream, type: heard }: RecordedEvent,
): Promise<readonly string[]> {
  if (isAboutRights(heard)) return [streamSubject(stream)];
  for await (const { type, data } of eventStore.readStream(stream)) {
    const event = transaction.parse(type, data);
    if (event?.type === 'OrderPlaced') return event.data.shares.map(({ sellerId }) => sellerId);
  }
  return [];
}

/** Whether a read model has come to the position; false: the signal aborted first. */
async function hasCome(
  { documents, reader }: Pick<HintsDeps, 'documents' | 'reader'>,
  model: 'notifications' | 'sellers',
  position: Position,
  signal: AbortSignal,
): Promise<boolean> {
  for await (const _ of documents.changes(signal)) {
    if (hasPassed(await reader.checkpointOf(model), position)) return true;
  }
  return false;
}

/** A seller's notice of an event; null when it concerns others, or is not unread any more. */
async function noticeOf(
  { reader }: Pick<HintsDeps, 'reader'>,
  sellerId: string,
  eventId: string,
): Promise<NotificationDocument | null> {
  const items = (await reader.open('notifications')).of('items');
  return items.get(noticeId(sellerId, eventId));
}

/**
 * How often an address may open a line for live hints; null: as often as it likes. A page keeps one line, and opens
 * it again at most every few seconds.
 */
const connectRuleOf = ({ demo }: { readonly demo: boolean }): RateRule | null =>
  demo ? null : { name: 'sockets', limit: 600, windowMs: MINUTE_MS };

/**
 * Tells sellers who are connected to this process of what they have notices of, and of what they may do from now on,
 * once they can read of it.
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

  async function tell(sellerId: string, eventId: string): Promise<void> {
    const notice = await noticeOf(deps, sellerId, eventId);
    if (notice === null) return;
    const { message } = notice;
    for (const socket of connected(sellerId)) {
      if (await isEntitled(socket)) socket.emit(SOCKET_NOTIFICATION, { message });
    }
  }

  async function heardNews(event: RecordedEvent): Promise<void> {
    const sellers = await sellersOf(deps, event);
    if (!sellers.some((id) => connected(id).length > 0)) return;
    if (!(await hasCome(deps, 'notifications', event.position, signal))) return;
    for (const id of sellers) await tell(id, event.id);
  }

  /** Whoever was promoted, demoted or suspended sees it on the page that is open. */
  async function heardOfRights({ stream, position }: RecordedEvent): Promise<void> {
    const sellerId = streamSubject(stream);
    if (connected(sellerId).length === 0) return;
    if (!(await hasCome(deps, 'sellers', position, signal))) return;
    for (const socket of connected(sellerId)) {
      if (await isEntitled(socket)) socket.emit(SOCKET_RIGHTS);
    }
  }

  const types = [...new Set<string>([...noticedEvents, ...RIGHTS])];
  async function heard(event: RecordedEvent): Promise<void> {
    if (isAboutRights(event.type)) await heardOfRights(event);
    if (isNoticed(event.type)) await heardNews(event);
  }
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
