import { descending } from '../../models/values.js';
import { openPersonal } from '../../wire/personal.js';
import { profile, sellerValues } from '../../wire/profile.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';

/** Newest first. */
export const getAllUsers =
  ({ reader, sealer }: Tools): QueryHandler<'getAllUsers'> =>
  async () => {
    const sellers = (await reader.open('sellers')).of('sellers');
    const { items } = await sellers.find({ sort: descending('registeredAt') });
    const documents = items.map(({ document }) => document);
    const personal = await openPersonal(sealer, documents.map(sellerValues));
    const result = documents.map((one, at) => profile(one, personal[at] ?? (() => null)));
    return ok({ success: true, result });
  };
