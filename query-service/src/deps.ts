import type { Settings } from '@oja/contracts';
import type {
  AccessTokens,
  Clock,
  Documents,
  EventStore,
  Images,
  Logger,
  ReadModels,
  Sealer,
  Sessions,
} from '@oja/platform';

/** What query-service stands on. It never appends: of the log it reads streams and hears the tail. */
export interface QueryServiceDeps {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly eventStore: Pick<EventStore, 'logId' | 'head' | 'readStream' | 'subscribe'>;
  readonly sessions: Pick<Sessions, 'isOpen'>;
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly sealer: Pick<Sealer, 'openMany'>;
  readonly images: Pick<Images, 'address' | 'uploadUrl' | 'uploadPreset'>;
  /** Beside the image host's, which `images` knows. */
  readonly settings: Omit<Settings, 'imageUpload'>;
  /** Of the release, for the OpenAPI document. */
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Origin under which browsers reach the market, without a slash at its end. */
  readonly publicUrl: string;
  /** Addresses whose word on where a connection comes from is taken. */
  readonly trustedProxy: readonly string[];
  /** Folder of the built web app. */
  readonly webDist: string;
  /** Folder of its server build, which renders pages; without it browsers render them alone. */
  readonly webServer?: string;
  /** Folder of the build before it: pages that people have open still ask for its assets. */
  readonly previousWebDist?: string;
}
