import { queryOptions } from '@tanstack/react-query';
import { get, send } from './client.js';
import type { Answer, Body } from './types.js';

export type Review = Body<'addComment'>;

/** What people wrote of the market, newest first. */
export const commentsQuery = queryOptions({
  queryKey: ['reviews', 'comments'],
  queryFn: async ({ signal }) =>
    (await get<Answer<'getComments'>>('/v1/comments', { signal })).result,
});

/** How often each number of stars was given. */
export const ratingsQuery = queryOptions({
  queryKey: ['reviews', 'ratings'],
  queryFn: async ({ signal }) =>
    (await get<Answer<'getRatings'>>('/v1/ratings', { signal })).result[0],
});

/** @throws ApiError */
export function addReview(review: Review): Promise<Answer<'addComment'>> {
  return send('POST', '/v1/add-comment', { body: review });
}
