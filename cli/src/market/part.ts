import type { Server } from 'node:http';
import type { App, Middleware, Readiness } from '@oja/http';
import type { Clock, Config, Engines, Handle, Logger, Metrics, ReadModels } from '@oja/platform';

/** What every part of the market stands on, opened once a process. */
export interface Ground {
  readonly config: Config;
  readonly engines: Engines;
  readonly handle: Handle;
  readonly readModels: ReadModels;
  readonly logId: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Draws a sample picture that nobody has looked at yet; absent where samples are not drawn. */
  readonly drawSample?: (name: string) => Promise<Buffer | null>;
}

/** One service as the process that runs it sees it, alone or beside others. */
export interface Part {
  readonly name: ServiceName;
  /** Its calls and doors; mounted before it is started. */
  mount(app: App): void;
  /** What answers where no call and no other door does; mounted last. */
  readonly pages?: Middleware;
  /** What else must be true before it can serve. */
  readyWhen(readiness: Readiness): void;
  start(server: Server): Promise<void>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

export const serviceNames = ['command-service', 'query-service', 'projector'] as const;
export type ServiceName = (typeof serviceNames)[number];
