import { businessName, businessNameKey, isReservedBusinessName } from '@oja/domain';
import type { Deps, Handler } from '../deps.js';
import { nameId } from './names.js';

/** From the name's own stream, so that it is never behind. A reserved name is nobody's to have. */
export const checkBusinessName =
  ({ load }: Pick<Deps, 'load'>): Handler<'checkBusinessName'> =>
  async ({ params }) => {
    const nameKey = businessNameKey(params.businessName);
    const reserved = isReservedBusinessName(params.businessName);
    const { state } = await load(businessName, nameId(nameKey));
    return { status: 200, body: { exists: reserved || state.status === 'held' } };
  };
