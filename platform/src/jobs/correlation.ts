import type { JsonObject } from '../eventstore/port.js';
import { withCorrelation } from '../logging/correlation.js';
import type { Job } from './port.js';

const FIELD = 'correlationId';

/** Job data that remembers what the job follows from. */
export const correlated = (data: JsonObject, correlationId: string): JsonObject => ({
  ...data,
  [FIELD]: correlationId,
});

/** Works a job under the correlation id of the request it follows from; else under its own id. */
export function underItsCorrelation<T>({ id, data }: Job, work: () => T): T {
  const { [FIELD]: correlationId } = data;
  return withCorrelation(typeof correlationId === 'string' ? correlationId : id, work);
}
