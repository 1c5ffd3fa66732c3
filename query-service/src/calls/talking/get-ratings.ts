import { RATINGS_ID } from '@oja/contracts/models';
import { ok, type QueryHandler, type Tools } from '../handler.js';

const NONE = { bar1: 0, bar2: 0, bar3: 0, bar4: 0, bar5: 0 };

export const getRatings =
  ({ reader }: Tools): QueryHandler<'getRatings'> =>
  async () => {
    const document = await (await reader.open('reviews')).of('ratings').get(RATINGS_ID);
    return ok({ success: true, result: [document ?? NONE] });
  };
