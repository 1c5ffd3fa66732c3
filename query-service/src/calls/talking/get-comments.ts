import { descending } from '../../models/values.js';
import { comment } from '../../wire/comment.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';

const NEWEST = 200;

export const getComments =
  ({ reader }: Tools): QueryHandler<'getComments'> =>
  async () => {
    const comments = (await reader.open('reviews')).of('comments');
    const { items } = await comments.find({ sort: descending('position'), limit: NEWEST });
    return ok({ success: true, result: items.map(({ document }) => comment(document)) });
  };
