import { randomBytes, randomUUID as uuid } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SellerEvent, seller, type TransactionEvent } from '@oja/domain';
import {
  createAccessTokens,
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedKeys,
  createEmbeddedState,
  createImages,
  createReadModels,
  createSealer,
  createSessions,
  type EventStore,
  type JsonObject,
  type Logger,
  type Position,
} from '@oja/platform';
import { createQueryService } from '@oja/query-service';
import { layReadModels } from '../../../test/support/empty-models.js';

export const PUBLIC_URL = 'http://market.test';
export const NOW = Date.parse('2026-03-20T12:00:00.000Z');

/** The address of the test's own requests. It is trusted, so that `X-Forwarded-For` sets the client's address. */
export const TRUSTED_PROXY = ['127.0.0.1'];

const SECRET = 'a secret of tests that is long enough';
export const quiet: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
  child: () => quiet,
};

export type Market = Awaited<ReturnType<typeof openMarket>>;

/** The engines of a market in a temporary folder, with empty read models and no projector. */
export async function openMarket(
  webDist = join(tmpdir(), 'no such build'),
  previousWebDist = webDist,
  webServer = join(webDist, 'no such build'),
  demo = true,
) {
  const folder = mkdtempSync(join(tmpdir(), 'oja-query-'));
  const at = (file: string) => join(folder, file);
  const [eventStore, documents, state, keys] = await Promise.all([
    createEmbeddedEventStore({ file: at('log') }),
    createEmbeddedDocuments({ file: at('documents') }),
    createEmbeddedState({ file: at('state') }),
    createEmbeddedKeys({ file: at('keys'), masterKey: randomBytes(32) }),
  ]);
  const clock = { time: NOW, now: () => clock.time };
  const readModels = createReadModels(documents);
  const sealer = createSealer(keys);
  const sessions = createSessions(state, SECRET);
  const accessTokens = createAccessTokens(SECRET);
  const images = createImages({ publicUrl: PUBLIC_URL });
  const { moveOn, put } = await layReadModels(documents, await eventStore.logId());

  /** Registers a seller, appends an event for each of `rights`, and signs them in. Returns the access token. */
  async function signedIn(sellerId: string, ...rights: readonly SellerEvent['type'][]) {
    const { name, phone } = await sealer.seal(`seller:${sellerId}`, `seller-${sellerId}`, {
      name: `Name of ${sellerId}`,
      phone: '08030000000',
    });
    const sealed = { name: { ...name }, phone: { ...phone } };
    const registered = { sellerId, businessName: `Store of ${sellerId}`, ...sealed };
    await append(eventStore, `${seller.category}-${sellerId}`, [
      { type: 'SellerRegistered', data: registered },
      ...rights.map((type) => ({ type, data: { sellerId, by: 'operator' } })),
    ]);
    const { session } = await sessions.start(sellerId, clock.now());
    return accessTokens.issue({ subject: sellerId, session }, clock.now());
  }

  const service = () =>
    createQueryService({
      documents,
      readModels,
      eventStore,
      sessions,
      accessTokens,
      sealer,
      images,
      settings: {
        pushPublicKey: null,
        dropOffAddress: '',
        support: { email: 'help@oja.example', phone: '', address: '' },
        demo,
      },
      version: '1.2.3',
      clock,
      logger: quiet,
      publicUrl: PUBLIC_URL,
      trustedProxy: TRUSTED_PROXY,
      webDist,
      previousWebDist,
      webServer,
    });

  return {
    demo,
    folder,
    eventStore,
    documents,
    readModels,
    state,
    keys,
    sealer,
    sessions,
    accessTokens,
    clock,
    put,
    moveOn,
    signedIn,
    service,
    async close() {
      await Promise.all([eventStore.close(), documents.close(), state.close(), keys.close()]);
      rmSync(folder, { recursive: true });
    },
  };
}

type Appended = { readonly type: string; readonly data: JsonObject };

/** Appends to a stream, by default a new one. Returns the position of the last event. `at`: epoch milliseconds. */
export async function append(
  eventStore: EventStore,
  stream: string,
  events: readonly Appended[] | readonly TransactionEvent[],
  expected: Parameters<EventStore['append']>[1] = 'no-stream',
  at = NOW,
): Promise<Position> {
  const id = uuid();
  const metadata = {
    actor: 'test',
    commandId: id,
    correlationId: id,
    causationId: id,
    time: new Date(at).toISOString(),
    schemaVersion: 1,
  };
  const result = await eventStore.append(
    stream,
    expected,
    events.map(({ type, data }) => ({ id: uuid(), type, data, metadata })),
  );
  if (!result.ok) throw new Error(`${stream} is there already`);
  return result.position;
}
