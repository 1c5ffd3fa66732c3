import {
  type EarningsDocument,
  LEDGER_ID,
  type LedgerCollections,
  type LedgerOrderDocument,
  ledger as model,
} from '@oja/contracts/models';
import { transactionEvents } from '@oja/domain';
import type { Change, Loaded } from '../../runner/projection.js';
import { define, pick, put } from '../define.js';
import { addPosting, NOTHING, post } from './postings.js';

/** Where the money is: accounts of the whole market and of each order, and the earnings of each seller. */
export const ledger = define<LedgerCollections>()({
  model,
  scope: 'shared',
  schemas: pick(
    transactionEvents,
    'OrderPlaced',
    'PaymentVerified',
    'PaymentMismatched',
    'PaymentReversed',
    'PaymentReturnedInPart',
    'PaymentRestored',
    'SellerShareReleased',
    'PayoutCompleted',
    'PayoutFailed',
    'PayoutDoubled',
    'DoubledPayoutReturned',
    'RefundRequested',
    'RefundCompleted',
    'RefundUndone',
    'RefundReduced',
  ),
  reads({ event }, documents) {
    if (event.type === 'OrderPlaced') return [];
    const id = event.data.transactionId;
    const order = { collection: 'orders', id } as const;
    const shares = documents.has(order) ? (documents.get('orders', id)?.shares ?? []) : [];
    return [
      order,
      { collection: 'accounts', id: LEDGER_ID },
      { collection: 'accounts', id },
      ...shares.map(({ sellerId }) => ({ collection: 'earnings', id: sellerId }) as const),
    ];
  },
  project({ event }, documents) {
    const id = event.data.transactionId;
    if (event.type === 'OrderPlaced') {
      const shares = event.data.shares.map(
        ({ sellerId, share }) => ({ sellerId, share, status: 'none', doubled: [] }) as const,
      );
      return [put('orders', id, { shares, asides: [] })];
    }
    const before = documents.get('orders', id);
    if (before === null) throw new Error(`${event.type} before the order was placed`);
    const own = documents.get('accounts', id) ?? NOTHING;
    const { posting, order } = post(event, before, own);
    return [
      put('orders', id, order),
      put('accounts', id, addPosting(own, posting)),
      put(
        'accounts',
        LEDGER_ID,
        addPosting(documents.get('accounts', LEDGER_ID) ?? NOTHING, posting),
      ),
      ...earned(before, order, documents),
    ];
  },
});

type Share = LedgerOrderDocument['shares'][number];

/** Updates the earnings of each seller whose share changed. */
function earned(
  before: LedgerOrderDocument,
  after: LedgerOrderDocument,
  documents: Loaded<LedgerCollections>,
): readonly Change<LedgerCollections>[] {
  return after.shares.flatMap((share, i) => {
    const was = before.shares[i];
    if (was === undefined || was === share) return [];
    const { sellerId } = share;
    const known = documents.get('earnings', sellerId);
    const earnings = known ?? { sellerId, held: 0, payable: 0, paidOut: 0 };
    return [put('earnings', sellerId, moved(earnings, was, share))];
  });
}

function moved(earnings: EarningsDocument, from: Share, to: Share): EarningsDocument {
  const change = (status: Share['status']) =>
    (to.status === status ? to.share : 0) - (from.status === status ? from.share : 0);
  return {
    ...earnings,
    held: earnings.held + change('held'),
    payable: earnings.payable + change('payable'),
    paidOut: earnings.paidOut + paidOut(to) - paidOut(from),
  };
}

/** What a seller has received for a share, in kobo. */
const paidOut = ({ share, status, doubled }: Share): number =>
  share * (doubled.length + (status === 'paid-out' ? 1 : 0));
