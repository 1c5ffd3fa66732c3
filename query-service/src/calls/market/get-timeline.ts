import type { TimelineKind } from '@oja/contracts/models';
import { ascending, equal } from '../../models/values.js';
import { isStaff, type Person } from '../../people/person.js';
import { timelineEntry } from '../../wire/timeline.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { notYours } from '../refusals.js';

/** More than happens to anything that is well. */
const MOST_SHOWN = 1_000;

/** Sellers see what happened to themselves and their own goods, removed ones too; admins see all. */
async function maySee(
  { reader }: Tools,
  actor: Person,
  kind: TimelineKind,
  id: string,
): Promise<boolean> {
  if (isStaff(actor)) return true;
  if (kind === 'seller') return id === actor.sellerId;
  if (kind === 'transaction') return false;
  const product = await (await reader.open('catalogue')).of('products').get(id);
  return product?.sellerId === actor.sellerId;
}

export const getTimeline =
  (tools: Tools): QueryHandler<'getTimeline'> =>
  async ({ params: { kind, id }, actor }) => {
    if (!(await maySee(tools, actor, kind, id))) return notYours();
    const entries = (await tools.reader.open('timeline')).of('entries');
    const { items } = await entries.find({
      filter: [equal('kind', kind), equal('subject', id)],
      sort: ascending('position'),
      limit: MOST_SHOWN,
    });
    return ok({ success: true, result: items.map(({ document }) => timelineEntry(document)) });
  };
