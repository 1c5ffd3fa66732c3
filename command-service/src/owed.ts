import { type ObligationDocument, type ObligationKind, obligations } from '@oja/contracts/models';
import { DAY_MS } from '@oja/domain/rules';
import type { Deps } from './deps.js';

/** Obligations a page: so many are held in memory at once. */
const PAGE = 200;

/**
 * What is owed of a kind, the longest first. `now` in epoch milliseconds: what is due later is left out.
 * @throws ReadModelMissing before a projector has begun.
 */
export async function* owedOf(
  { documents, readModels }: Pick<Deps, 'documents' | 'readModels'>,
  kind: ObligationKind,
  now: number,
): AsyncGenerator<ObligationDocument> {
  const due = await readModels.liveCollection(obligations, 'due');
  const query = {
    filter: [
      { field: 'kind', op: 'eq', value: kind },
      { field: 'due', op: 'lte', value: new Date(now).toISOString() },
    ],
    sort: [{ field: 'due', order: 'asc' }],
    limit: PAGE,
  } as const;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof documents.find<ObligationDocument>>> =
      await documents.find<ObligationDocument>(due, cursor === null ? query : { ...query, cursor });
    for (const { document } of page.items) yield document;
    cursor = page.next;
  } while (cursor !== null);
}

/** How long to wait after so many failures before this one: doubled after each, up to a day. Milliseconds. */
export const pauseAfter = (failures: number, firstMs: number): number =>
  Math.min(firstMs * 2 ** failures, DAY_MS);
