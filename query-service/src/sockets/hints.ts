import type { Server as HttpServer } from 'node:http';
import {
  readModels as models,
  type NotificationDocument,
  noticeEvents,
  noticeId,
} from '@oja/contracts/models';
import { SOCKET_NOTIFICATION, SOCKET_RIGHTS } from '@oja/contracts/wire';
import { seller, type sellerEvents, streamCategory, streamSubject, transaction } from '@oja/domain';
import { MINUTE_MS } from '@oja/domain/rules';
import type { RateRule } from '@oja/http';
import { type Position, pause, type RecordedEvent } from '@oja/platform';
import type { Authenticator } from '../authenticate.js';
import type { QueryServiceDeps } from '../deps.js';
import type { Reader } from '../read-models.js';
import { type Gateway, type GatewaySocket, openGateway, socketsOf } from './gateway.js';

/** How often the tokens of all sockets are checked, in milliseconds. */
const TOKEN_CHECK_MS = 5_000;

/** Pause before a subscription that broke off is begun again, in milliseconds. */
const RESUBSCRIBE_MS = 1_000;

/**
 * For how long after an event its hints wait for the read model, in milliseconds. Hints are sent one
 * after the other, so a model that stands still must not hold back those about others.
 */
const LONGEST_WAIT_MS = 30_000;

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
const isNoticed = (type: string) => noticeEvents.some((each) => each === type);

type HintsDeps = Pick<
  QueryServiceDeps,
  'eventStore' | 'readModels' | 'logger' | 'publicUrl' | 'trustedProxy' | 'clock' | 'settings'
> & {
  readonly reader: Reader;
  readonly authenticator: Pick<Authenticator, 'byToken'>;
};

interface Hints {
  attach(server: HttpServer): void;
  /** Disconnects everybody and stops following the log. */
  close(): Promise<void>;
}

interface TailOptions extends Pick<HintsDeps, 'eventStore' | 'logger'> {
  readonly types: readonly string[];
  readonly signal: AbortSignal;
  /** Called for one event at a time, in the order of the log. An event for which it throws is skipped. */
  onEvent(event: RecordedEvent): Promise<void>;
}

/** Follows the events of these types that are appended from now on, until the signal aborts. */
async function followLog({ eventStore, types, logger, signal, onEvent }: TailOptions) {
  let after: Position | null = null;
  let knowsWhere = false;
  while (!signal.aborted) {
    try {
      if (!knowsWhere) after = await eventStore.head();
      knowsWhere = true;
      for await (const item of eventStore.subscribe({ after, signal, types })) {
        if (item.kind === 'caught-up') continue;
        after = item.kind === 'event' ? item.event.position : item.position;
        if (item.kind === 'event') await onEvent(item.event);
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error }, 'live updates lost the event log: following it again');
    }
    // Also after an end without an error: a log that was closed ends every subscription at once.
    await pause(RESUBSCRIBE_MS, signal);
  }
}

/** The sellers whom an event may concern. Read from its own stream, so that no read model must have passed it. */
async function findSellers(
  { eventStore }: Pick<HintsDeps, 'eventStore'>,
  { stream }: RecordedEvent,
): Promise<readonly string[]> {
  if (streamCategory(stream) === seller.category) return [streamSubject(stream)];
  for await (const { type, data } of eventStore.readStream(stream)) {
    const event = transaction.parse(type, data);
    if (event?.type === 'OrderPlaced') return event.data.shares.map(({ sellerId }) => sellerId);
  }
  return [];
}

type HintedModel = 'notifications' | 'sellers';

/** What a page reads again when it is told of an event. One about the seller, such as another bank account, is in both. */
const modelsToAwait = ({ stream }: RecordedEvent): readonly HintedModel[] =>
  streamCategory(stream) === seller.category ? ['notifications', 'sellers'] : ['notifications'];

/** Waits until these read models have passed the event; false when that takes too long or the signal aborts. */
function waitForModels(
  { readModels, clock }: Pick<HintsDeps, 'readModels' | 'clock'>,
  awaited: readonly HintedModel[],
  { position, metadata }: RecordedEvent,
  signal: AbortSignal,
): Promise<boolean> {
  const left = Date.parse(metadata.time) + LONGEST_WAIT_MS - clock.now();
  const names = awaited.map((model) => models[model]);
  return readModels.waitFor(names, position, Math.min(LONGEST_WAIT_MS, left), signal);
}

/** A seller's notice of an event; null when the event does not concern them, or the notice was cleared. */
async function findNotice(
  { reader }: Pick<HintsDeps, 'reader'>,
  sellerId: string,
  eventId: string,
): Promise<NotificationDocument | null> {
  const items = (await reader.open('notifications')).of('items');
  return items.get(noticeId(sellerId, eventId));
}

/**
 * How often an address may open a socket for live hints; null: no limit. A page keeps one socket,
 * and opens it again at most every few seconds.
 */
const connectRuleOf = ({ demo }: { readonly demo: boolean }): RateRule | null =>
  demo ? null : { name: 'sockets', limit: 600, windowMs: MINUTE_MS };

/**
 * Tells the sellers connected to this process about new notices and changed rights, once the read
 * models show them. Sent at most once and not stored: a hint only asks a page to read again, which
 * it does anyway when it connects.
 */
export function createHints(deps: HintsDeps): Hints {
  const { authenticator, eventStore, logger } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const gateways: Gateway[] = [];
  const connectRule = connectRuleOf(deps.settings);

  const connected = (sellerId?: string) =>
    gateways.flatMap((gateway) => socketsOf(gateway, sellerId));

  /** Whether the socket's token is still valid. If not, closes the socket: its page returns with a fresh token. */
  async function isEntitled(socket: GatewaySocket): Promise<boolean> {
    const identity = await authenticator.byToken(socket.data.token);
    if (identity.kind === 'actor') return true;
    socket.conn.close();
    return false;
  }

  async function notify(sellerId: string, eventId: string): Promise<void> {
    const notice = await findNotice(deps, sellerId, eventId);
    if (notice === null) return;
    const { message } = notice;
    for (const socket of connected(sellerId)) {
      if (await isEntitled(socket)) socket.emit(SOCKET_NOTIFICATION, { message });
    }
  }

  async function sendNotices(event: RecordedEvent): Promise<void> {
    const sellers = await findSellers(deps, event);
    if (!sellers.some((id) => connected(id).length > 0)) return;
    if (!(await waitForModels(deps, modelsToAwait(event), event, signal))) return;
    for (const id of sellers) await notify(id, event.id);
  }

  /** A seller who was promoted, demoted or suspended sees it on the page that is open. */
  async function sendRightsChange(event: RecordedEvent): Promise<void> {
    const sellerId = streamSubject(event.stream);
    if (connected(sellerId).length === 0) return;
    if (!(await waitForModels(deps, ['sellers'], event, signal))) return;
    for (const socket of connected(sellerId)) {
      if (await isEntitled(socket)) socket.emit(SOCKET_RIGHTS);
    }
  }

  const types = [...new Set<string>([...noticeEvents, ...RIGHTS])];
  async function onEvent(event: RecordedEvent): Promise<void> {
    if (isAboutRights(event.type)) await sendRightsChange(event);
    if (isNoticed(event.type)) await sendNotices(event);
  }
  const listening = followLog({ eventStore, types, logger, signal, onEvent });

  /** One look after the other: if the engines are slow, looks must not pile up. */
  async function checkTokens(): Promise<void> {
    while (!signal.aborted) {
      await pause(TOKEN_CHECK_MS, signal);
      await Promise.all(connected().map(isEntitled)).catch((error: unknown) => {
        logger.warn({ err: error }, 'the access tokens of open sockets could not be checked');
      });
    }
  }
  const checking = checkTokens();

  return {
    attach: (server) => void gateways.push(openGateway(server, { ...deps, connectRule })),
    async close() {
      stopping.abort();
      for (const gateway of gateways) gateway.disconnectSockets(true);
      for (const gateway of gateways) gateway.engine.close();
      await Promise.all([listening, checking]);
    },
  };
}
