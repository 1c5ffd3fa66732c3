import { nameId } from '@oja/command-service';
import { type SellerDocument, sellers } from '@oja/contracts/models';
import { businessName, businessNameKey, keySubject, seller } from '@oja/domain';
import type { AppContext } from '../../runtime/context.js';
import { usageExit } from '../../terminal/exit.js';
import { nearestHint } from '../../terminal/usage.js';
import { liveDocuments } from './live-documents.js';

export interface FoundSeller {
  readonly sellerId: string;
  readonly businessName: string;
}

/** Finds a seller by business name or id; null when there is none. */
export async function findSeller(context: AppContext, text: string): Promise<FoundSeller | null> {
  const { commands } = context;
  const nameKey = businessNameKey(text);
  const claim = (await commands.load(businessName, nameId(nameKey))).state;
  for (const sellerId of [text, ...(claim.status === 'held' ? [claim.sellerId] : [])]) {
    const { state } = await commands.load(seller, sellerId);
    if (state.status === 'registered') return { sellerId, businessName: state.businessName };
  }
  return null;
}

/** Like `findSeller`. @throws Exit 2 naming the nearest seller when there is none. */
export async function sellerNamed(context: AppContext, text: string): Promise<FoundSeller> {
  const found = await findSeller(context, text);
  if (found !== null) return found;
  const hint = nearestHint(text, await knownNames(context));
  throw usageExit(`There is no seller '${text}'${hint}.`);
}

/**
 * Like `sellerNamed`, but for what only somebody who is still there may be given. An erased seller is found by their id,
 * or by their name until it is released. @throws Exit 2
 */
export async function presentSeller(context: AppContext, text: string): Promise<FoundSeller> {
  const found = await sellerNamed(context, text);
  const { sellerId, businessName } = found;
  if (await context.engines.keys.isDestroyed(keySubject('seller', sellerId)))
    throw usageExit(`The seller ${sellerId} (${businessName}) was erased.`);
  return found;
}

/** The business names of all sellers who are not erased. */
export async function knownNames(context: AppContext): Promise<readonly string[]> {
  const names: string[] = [];
  if ((await context.readModels.checkpointOf(sellers)) === null) return names;
  const all = liveDocuments<SellerDocument>(context, sellers, 'sellers');
  for await (const { document } of all) if (!document.erased) names.push(document.businessName);
  return names;
}
