import { seller } from '@oja/domain';
import { streamOf } from '@oja/platform';
import type { Deps } from '../../deps.js';

export interface PayoutAccount {
  readonly name: string;
  readonly accountNumber: string;
  readonly bankCode: string;
}

/** Where a seller wants to be paid; null when they have not said, or were erased. */
export async function payoutAccountOf(
  { eventStore, sealer }: Pick<Deps, 'eventStore' | 'sealer'>,
  sellerId: string,
): Promise<PayoutAccount | null> {
  const stream = streamOf(seller, sellerId);
  let last = null;
  for await (const recorded of eventStore.readStream(stream)) {
    const event = seller.parse(recorded.type, recorded.data);
    if (event?.type === 'PayoutAccountSet') last = event.data;
  }
  if (last === null) return null;
  const [name, accountNumber, bankCode] = await sealer.openMany([
    { stream, field: 'accountName', value: last.accountName },
    { stream, field: 'accountNumber', value: last.accountNumber },
    { stream, field: 'bankCode', value: last.bankCode },
  ]);
  return name && accountNumber && bankCode ? { name, accountNumber, bankCode } : null;
}
