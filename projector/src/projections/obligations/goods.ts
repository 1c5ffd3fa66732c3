import type { TakenGoodsDocument } from '@oja/contracts/models';
import {
  type EventOf,
  PAYMENT_RECORDED_WITHIN_MS,
  stockEvents,
  type transactionEvents,
} from '@oja/domain';
import { put } from '../define.js';
import {
  deleteDue,
  laterPosition,
  type ObligationChange,
  type ObligationDocuments,
  putDue,
} from './kinds.js';

const { StockTaken, StockReturned } = stockEvents;
export const takenEvents = { StockTaken, StockReturned };
type TakenEvent = EventOf<typeof takenEvents>;

type MoneyEvent = EventOf<
  Pick<typeof transactionEvents, 'PaymentVerified' | 'PaymentMismatched' | 'RefundRequested'>
>;

export const isTakenEvent = (event: { readonly type: string }): event is TakenEvent =>
  Object.hasOwn(takenEvents, event.type);

/**
 * Stock that a payment took must be put back when the payment is refunded. If nobody recorded what
 * became of the payment, the process that took the stock has died, and the payment must be checked.
 * The facts come from two streams, the product's and the order's. What each says is kept, so the
 * order in which they are read does not matter.
 */
export function projectGoods(
  event: TakenEvent | MoneyEvent,
  position: string,
  documents: ObligationDocuments,
): readonly ObligationChange[] {
  const { transactionId } = event.data;
  const known = documents.get('takenGoods', transactionId);
  const isPaid = event.type === 'PaymentVerified';
  if (isPaid && known === null) return [];
  const after = {
    ...afterEvent(known ?? { taken: [], back: [] }, event),
    // A payment adds nothing to what was taken.
    position: isPaid && known !== null ? known.position : laterPosition(known, position),
  };
  const paidBy = isPaid ? event.data.providerId : documents.get('orders', transactionId)?.paidBy;
  const [first] = after.taken
    .flatMap(({ providerId, sellerId, at }) => {
      const back = after.back.find(({ of }) => of === providerId || of === sellerId);
      if (back !== undefined) return [Math.max(Date.parse(back.at), Date.parse(at))];
      return providerId === paidBy ? [] : [Date.parse(at) + PAYMENT_RECORDED_WITHIN_MS];
    })
    .sort((a, b) => a - b);
  return [
    put('takenGoods', transactionId, after),
    first === undefined
      ? deleteDue('stock-return', transactionId)
      : putDue('stock-return', transactionId, {
          due: new Date(first).toISOString(),
          position: after.position,
        }),
  ];
}

type Goods = Pick<TakenGoodsDocument, 'taken' | 'back'>;

function afterEvent({ taken, back }: Goods, event: TakenEvent | MoneyEvent): Goods {
  switch (event.type) {
    case 'StockTaken': {
      const { productId, sellerId, providerId, at } = event.data;
      return { taken: sorted([...taken, { productId, sellerId, providerId, at }]), back };
    }
    case 'StockReturned': {
      const { productId, providerId } = event.data;
      const isBack = (one: (typeof taken)[number]) =>
        one.productId === productId && one.providerId === providerId;
      return { taken: taken.filter((one) => !isBack(one)), back };
    }
    case 'PaymentVerified':
      return { taken, back };
    case 'PaymentMismatched':
      return { taken, back: [...back, { of: event.data.providerId, at: event.data.at }] };
    case 'RefundRequested': {
      const { sellerId, at } = event.data;
      return sellerId === null ? { taken, back } : { taken, back: [...back, { of: sellerId, at }] };
    }
  }
}

/** Sorted by key, so that the result does not depend on the order of events. */
const sorted = (taken: TakenGoodsDocument['taken']) =>
  [...taken].sort((a, b) =>
    `${a.productId} ${a.providerId}` < `${b.productId} ${b.providerId}` ? -1 : 1,
  );
