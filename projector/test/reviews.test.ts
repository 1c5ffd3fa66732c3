import { type CommentDocument, RATINGS_ID } from '@oja/contracts/models';
import type { OperationsEvent, ReviewEvent, SellerEvent } from '@oja/domain';
import { beforeEach, expect, it } from 'vitest';
import { reviews } from '../src/projections/reviews.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { recorded } from './support/shop.js';

const at = '2026-03-01T08:00:00.000Z';
const sealed = { sealed: 'x', subject: 'seller:ada' };

let log: MemoryLog;
beforeEach(() => {
  log = new MemoryLog();
});

function happens(stream: string, { type, data }: OperationsEvent | ReviewEvent | SellerEvent) {
  const revision = log.events.filter((event) => event.stream === stream).length;
  log.record([recorded(stream, revision, type, data)]);
}

const reviewed = (reviewId: string, businessName: string, stars = 5) =>
  happens(`review-${reviewId}`, {
    type: 'ReviewPosted',
    data: { reviewId, businessName, sellerId: 'ada', comment: 'Good', stars, at },
  });
const renamed = (businessName: string) =>
  happens('seller-ada', {
    type: 'SellerProfileUpdated',
    data: { sellerId: 'ada', businessName, name: sealed, phone: sealed },
  });
const erased = () =>
  happens('operations', { type: 'SubjectErased', data: { subject: 'seller:ada', at } });

/** The names of the comments, by review. */
async function names() {
  const documents = new MemoryDocuments();
  await follow(log, documents, reviews, { batchSize: 500 });
  return Object.fromEntries(
    Object.entries(contents(documents, reviews).comments ?? {}).map(([id, text]) => {
      const { businessName }: CommentDocument = JSON.parse(text);
      return [id, businessName];
    }),
  );
}

it('a comment carries the name that its seller has now, since another may take the old one', async () => {
  reviewed('r-1', 'Ada Bags');
  expect(await names()).toEqual({ 'r-1': 'Ada Bags' });
  renamed('Ada Luxury');
  reviewed('r-2', 'Ada Luxury');
  expect(await names()).toEqual({ 'r-1': 'Ada Luxury', 'r-2': 'Ada Luxury' });
});

it('a comment is nameless once its seller is erased, whenever a name of theirs is read', async () => {
  reviewed('r-1', 'Ada Bags');
  erased();
  renamed('Ada Luxury');
  reviewed('r-2', 'Ada Luxury');
  expect(await names()).toEqual({ 'r-1': null, 'r-2': null });
});

it('counts the reviews of each number of stars', async () => {
  for (const [n, stars] of [5, 1, 5, 4].entries()) reviewed(`r-${n}`, 'Ada Bags', stars);
  const documents = new MemoryDocuments();
  await follow(log, documents, reviews, { batchSize: 500 });
  const ratings = JSON.parse(contents(documents, reviews).ratings?.[RATINGS_ID] ?? '{}');
  expect(ratings).toEqual({ bar1: 1, bar2: 0, bar3: 0, bar4: 1, bar5: 2 });
});
