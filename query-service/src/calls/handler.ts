import type { CallName, Calls, Person } from '@oja/contracts';
import { type CallHandler, type CallHandlers, refuse } from '@oja/http';
import { InvalidCursor } from '@oja/platform';
import type { QueryServiceDeps } from '../deps.js';
import type { Reader } from '../models/reader.js';

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

export const noProduct = () => refuse(404, 'This product does not exist');
export const noStore = () => refuse(404, 'There is no store of this name');
export const noTransaction = () => refuse(404, 'There is no such transaction');
export const noOrder = () => refuse(404, 'There is no such order');
export const notYours = () => refuse(404, 'There is nothing here for you');
export const noSeller = () => refuse(404, 'There is no seller with this id');

const foreignCursor = () => {
  const text = 'is not one that this list gave out';
  return refuse(400, `cursor ${text}`, { errors: { cursor: text } });
};

/** A cursor comes from outside: one of another list is the caller's mistake, not ours. */
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
