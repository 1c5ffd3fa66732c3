import { calls, openApiDocument, type Person } from '@oja/contracts';
import { RATINGS_ID, type TimelineKind } from '@oja/contracts/models';
import { limits } from '@oja/domain/rules';
import { notYours, positionToken } from '@oja/http';
import { isPosition } from '@oja/platform';
import { isStaff } from '../authenticate.js';
import { ok, orForeignCursor, type QueryHandler, type Tools } from '../deps.js';
import { descending, equal } from '../read-models.js';
import { act, comment, news, notification, timelineEntry } from '../wire/people.js';

export const getSettings =
  ({ images, settings }: Tools): QueryHandler<'getSettings'> =>
  () => {
    const imageUpload = { url: images.uploadUrl, uploadPreset: images.uploadPreset };
    return ok({ imageUpload, ...settings });
  };

/**
 * Built once, as the table of calls does not change while the process runs; at the first request for it, since it takes
 * a twentieth of a market's start.
 */
export const openApi = ({ version }: Tools): QueryHandler<'openApi'> => {
  let document: ({ openapi: string } & ReturnType<typeof openApiDocument>) | undefined;
  return () => {
    document ??= { openapi: '3.1.0', ...openApiDocument(Object.values(calls), version) };
    return ok(document);
  };
};

const NEWEST_COMMENTS = 200;

export const getComments =
  ({ reader }: Tools): QueryHandler<'getComments'> =>
  async () => {
    const comments = (await reader.open('reviews')).of('comments');
    const { items } = await comments.find({ sort: descending('position'), limit: NEWEST_COMMENTS });
    return ok({ success: true, result: items.map(({ document }) => comment(document)) });
  };

const NO_RATINGS = { bar1: 0, bar2: 0, bar3: 0, bar4: 0, bar5: 0 };

export const getRatings =
  ({ reader }: Tools): QueryHandler<'getRatings'> =>
  async () => {
    const document = await (await reader.open('reviews')).of('ratings').get(RATINGS_ID);
    return ok({ success: true, result: [document ?? NO_RATINGS] });
  };

/** More than anybody reads at once. */
const MOST_NOTICES = 1_000;

/**
 * Newest first. `position` is that of the newest notice, in the form of Oja-Position. The client
 * sends it back to clear its notices, so that later ones stay.
 */
export const unreadNotifications =
  ({ reader, images, logId }: Tools): QueryHandler<'unreadNotifications'> =>
  async ({ params, actor }) => {
    if (params.userId !== actor.sellerId) return notYours();
    const items = (await reader.open('notifications')).of('items');
    const page = await items.find({
      filter: [equal('sellerId', actor.sellerId)],
      sort: descending('position'),
      limit: MOST_NOTICES,
    });
    const notices = page.items.map(({ document }) => document);
    const newest = notices[0]?.position ?? '';
    const isOrder = ({ type }: (typeof notices)[number]) => type === 'PaymentVerified';
    return ok({
      success: true,
      result: notices.filter(isOrder).map((notice) => notification(notice, images)),
      news: notices.filter((notice) => !isOrder(notice)).map((notice) => news(notice, images)),
      position: isPosition(newest) ? positionToken(await logId(), newest) : null,
    });
  };

/** More entries than any ordinary subject has. */
const MOST_ENTRIES = 1_000;

/**
 * Sellers see what happened to themselves and to their own goods, including removed ones. Admins see
 * all, until they are suspended.
 */
async function maySee(
  { reader }: Tools,
  actor: Person,
  kind: TimelineKind,
  id: string,
): Promise<boolean> {
  if (isStaff(actor) && !actor.suspended) return true;
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
      sort: descending('position'),
      limit: MOST_ENTRIES,
    });
    const result = items.map(({ document }) => timelineEntry(document)).reverse();
    return ok({ success: true, result });
  };

/** Newest first. */
export const getAudit =
  ({ reader }: Tools): QueryHandler<'getAudit'> =>
  ({ query: { act: only, cursor, limit = limits.page.size } }) =>
    orForeignCursor(async () => {
      const acts = (await reader.open('timeline')).of('acts');
      const { items, next } = await acts.find({
        filter: only === undefined ? [] : [equal('act', only)],
        sort: descending('position'),
        limit,
        cursor,
      });
      return ok({
        success: true,
        result: items.map(({ document }) => act(document)),
        nextCursor: next,
      });
    });
