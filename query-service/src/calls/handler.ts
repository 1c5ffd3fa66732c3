import type { CallName, Calls } from '@oja/contracts';
import type { CallHandler, CallHandlers } from '@oja/platform';
import type { QueryServiceDeps } from '../deps.js';
import type { Reader } from '../models/reader.js';
import type { Person } from '../people/person.js';

/** The calls of the table that this service answers. */
export type QueryCall = Extract<Calls[CallName], { readonly owner: 'query-service' }>;
export type QueryHandlers = CallHandlers<QueryCall, Person>;
export type QueryHandler<N extends QueryCall['name']> = CallHandler<Calls[N], Person>;

/** What handlers work with. */
export interface Tools
  extends Pick<QueryServiceDeps, 'sealer' | 'images' | 'settings' | 'version' | 'clock'> {
  readonly reader: Reader;
  /** For positions that go out in a body. */
  readonly logId: () => Promise<string>;
}

export const ok = <B>(body: B) => ({ status: 200, body }) as const;
