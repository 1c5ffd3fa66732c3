import type { TransactionCommand } from '@oja/domain';
import { expect, it } from 'vitest';
import {
  confirm,
  hour,
  pay,
  payOut,
  payoutDone,
  payoutFailed,
  payoutId,
  place,
  reverse,
} from '../../domain/test/orders.js';
import { income } from '../src/projections/income.js';
import { sales } from '../src/projections/sales.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { ordered } from './support/orders.js';

const ada = payoutId(0);
const stopped = ['PayoutStopped', 'The payout of ₦2,000 was stopped'];
const failed = ['PayoutFailed', 'The payout of ₦2,000 failed'];
const cameBack = ['PayoutFailed', 'The payout of ₦2,000 came back'];

const settled = { type: 'SettlePayout', sellerId: 'ada', reason: 'in cash', at: hour(90) } as const;
const givenUp = { ...payoutFailed(ada), givenUp: true } as const;
const late = { type: 'RecordLatePayout', payoutId: ada, at: hour(95) } as const;
const takenBack = { ...reverse, at: hour(71) };

it.each<[string, readonly string[], string | null, readonly TransactionCommand[]]>([
  ['was paid in another way', stopped, 'stopped', [payOut('ada'), settled]],
  ['was given up', stopped, 'stopped', [payOut('ada'), givenUp]],
  [
    'nobody has approved',
    stopped,
    'stopped',
    [payOut('ada'), { ...payoutFailed(ada), reason: 'transfer.abandoned' }],
  ],
  [
    'was to be paid by hand, and was not',
    stopped,
    'stopped',
    [payOut('ada', 'manual'), payoutFailed(ada)],
  ],
  ['a bank has refused', failed, 'bank', [payOut('ada'), payoutFailed(ada)]],
  ['a bank has sent back', cameBack, 'bank', [payOut('ada'), payoutDone(ada), payoutFailed(ada)]],
  [
    'was made by hand and came back',
    cameBack,
    'bank',
    [payOut('ada', 'manual'), payoutDone(ada), payoutFailed(ada)],
  ],
  [
    'is not owed any more',
    failed,
    'taken-back',
    [payOut('ada'), takenBack, { ...givenUp, at: hour(72) }],
  ],
])('says of a payout that %s what Income says: %s', async (_, told, reason, ways) => {
  const log = new MemoryLog();
  log.record(ordered(place, pay, confirm, ...ways));
  const { steps, reasons } = await endsOf(log);
  expect(steps).toEqual([told]);
  expect(reasons[0]).toBe(reason);
});

it('says of one by hand that it was stopped when the transfer before it arrives', async () => {
  const log = new MemoryLog();
  log.record(ordered(place, pay, confirm, payOut('ada'), givenUp, payOut('ada', 'manual'), late));
  const { steps, reasons } = await endsOf(log);
  expect(steps).toEqual([stopped, stopped]);
  expect(reasons).toEqual([null, 'stopped']);
});

/** What the history of Ada's sale says of payouts that ended unpaid, and the reasons that Income gives, of all payouts. */
async function endsOf(log: MemoryLog) {
  const documents = new MemoryDocuments();
  const of = async <T>(projection: typeof sales | typeof income, collection: string) => {
    await follow(log, documents, projection, { batchSize: 500 });
    const rows = Object.entries(contents(documents, projection)[collection] ?? {});
    return rows.map(([id, text]): [string, T] => [id, JSON.parse(text)]);
  };
  type Steps = { readonly steps: readonly { readonly type: string; readonly text: string }[] };
  const sold = await of<Steps>(sales, 'sales');
  const payouts = await of<{ readonly reason: string | null }>(income, 'payouts');
  const steps = sold.filter(([id]) => id.startsWith('ada/')).flatMap(([, sale]) => sale.steps);
  return {
    steps: steps
      .filter(({ type }) => type === 'PayoutFailed' || type === 'PayoutStopped')
      .map(({ type, text }) => [type, text]),
    reasons: payouts.map(([, { reason }]) => reason),
  };
}
