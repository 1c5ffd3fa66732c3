import { type ObligationDocument, type ObligationKind, obligations } from '@oja/contracts/models';
import { eachDocument } from '@oja/platform';
import type { Deps } from './deps.js';

/**
 * The obligations of a kind that are due at `now` (epoch milliseconds), longest overdue first.
 * @throws ReadModelMissing before a projector has run.
 */
export async function* dueObligations(
  { documents, readModels }: Pick<Deps, 'documents' | 'readModels'>,
  kind: ObligationKind,
  now: number,
): AsyncGenerator<ObligationDocument> {
  const due = await readModels.liveCollection(obligations, 'due');
  const owed = eachDocument<ObligationDocument>(documents, due, {
    filter: [
      { field: 'kind', op: 'eq', value: kind },
      { field: 'due', op: 'lte', value: new Date(now).toISOString() },
    ],
    sort: [{ field: 'due', order: 'asc' }],
  });
  for await (const { document } of owed) yield document;
}
