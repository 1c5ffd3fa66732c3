import { businessNameKey } from '@oja/domain/rules';
import { isOpen, type OpenStore } from '../wire/store.js';
import type { OpenModel, ShownModels } from './reader.js';
import { equal } from './values.js';

/** The store of a business name, or of its form in addresses; null when nobody goes by it. */
export async function storeByName(
  catalogue: OpenModel<ShownModels['catalogue']>,
  name: string,
): Promise<OpenStore | null> {
  const filter = [equal('businessNameKey', businessNameKey(name))];
  const page = await catalogue.of('stores').find({ filter });
  return page.items.map(({ document }) => document).find(isOpen) ?? null;
}
