import type { CallName, Calls, Person, Settings } from '@oja/contracts';
import { type CallHandler, type CallHandlers, refuse } from '@oja/http';
import {
  type AccessTokens,
  type Clock,
  type Documents,
  type EventStore,
  type Images,
  InvalidCursor,
  type Logger,
  type ReadModels,
  type Sealer,
  type Sessions,
} from '@oja/platform';
import type { Reader } from './read-models.js';

/** What query-service depends on. It never appends: it only reads streams and follows the end of the log. */
export interface QueryServiceDeps {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly eventStore: Pick<EventStore, 'logId' | 'head' | 'readStream' | 'subscribe'>;
  readonly sessions: Pick<Sessions, 'isOpen'>;
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly sealer: Pick<Sealer, 'openMany'>;
  readonly images: Pick<Images, 'address' | 'uploadUrl' | 'uploadPreset'>;
  /** All settings but those of the image host, which `images` has. */
  readonly settings: Omit<Settings, 'imageUpload'>;
  /** The version of the release, for the OpenAPI document. */
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Origin under which browsers reach the market, without a trailing slash. */
  readonly publicUrl: string;
  /** Addresses of proxies that are trusted to say where a connection comes from. */
  readonly trustedProxy: readonly string[];
  /** Folder of the built web app. */
  readonly webDist: string;
  /** Folder of the web app's server build, which renders pages. Without it only browsers render them. */
  readonly webServer?: string;
  /** Folder of the previous build: pages that people have open still ask for its assets. */
  readonly previousWebDist?: string;
}

/** The calls that this service answers. */
export type QueryCall = Extract<Calls[CallName], { readonly owner: 'query-service' }>;
export type QueryHandlers = CallHandlers<QueryCall, Person>;
export type QueryHandler<N extends QueryCall['name']> = CallHandler<Calls[N], Person>;

/** What handlers work with. */
export interface Tools
  extends Pick<QueryServiceDeps, 'sealer' | 'images' | 'settings' | 'version' | 'clock'> {
  readonly reader: Reader;
  /** The id of the log, for positions in response bodies. */
  readonly logId: () => Promise<string>;
}

export const ok = <B>(body: B) => ({ status: 200, body }) as const;

export const noProduct = () => refuse(404, 'This product does not exist');
export const noStore = () => refuse(404, 'There is no store of this name');
export const noTransaction = () => refuse(404, 'There is no such transaction');
export const noOrder = () => refuse(404, 'There is no such order');
export const noSeller = () => refuse(404, 'There is no seller with this id');

const foreignCursor = () => {
  const text = 'is not one that this list gave out';
  return refuse(400, `cursor ${text}`, { errors: { cursor: text } });
};

/** Does the work. Answers 400 to a cursor of another list, which is the client's mistake, not ours. */
export async function orForeignCursor<T>(
  work: () => Promise<T>,
): Promise<T | ReturnType<typeof refuse>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidCursor) return foreignCursor();
    throw error;
  }
}
