import { openPersonal } from '../../wire/personal.js';
import { profile, sellerValues } from '../../wire/profile.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { noSeller } from '../refusals.js';

export const singleUser =
  ({ reader, sealer }: Tools): QueryHandler<'singleUser'> =>
  async ({ actor }) => {
    const document = await (await reader.open('sellers')).of('sellers').get(actor.sellerId);
    if (document === null) return noSeller();
    const [personal = () => null] = await openPersonal(sealer, [sellerValues(document)]);
    return ok({ success: true, result: [profile(document, personal)] });
  };
