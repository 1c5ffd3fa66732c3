import {
  type EarningsDocument,
  LEDGER_ID,
  type LedgerAccounts,
  type LedgerDocument,
  ledger,
} from '@oja/contracts/models';
import { type Documents, eachDocument, type LiveModel } from '@oja/platform';
import { isBalanced } from '@oja/projector';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { requireUnreplaced } from '../shared/wait-for-models.js';

export type LedgerVerdict = NonNullable<Answer<'verify'>['ledger']>;

export const isSound = ({ unbalanced, wrongSums }: LedgerVerdict): boolean =>
  unbalanced.length === 0 && wrongSums.length === 0;

const figures: readonly (keyof LedgerAccounts)[] = [
  'cash',
  'held',
  'payable',
  'paidOut',
  'house',
  'refundsDue',
  'heldAside',
  'providerFees',
  'losses',
];
const earned = ['held', 'payable', 'paidOut'] as const;

interface Books {
  readonly all: LedgerDocument | null;
  readonly unbalanced: readonly string[];
  readonly sums: ReadonlyMap<string, number>;
  readonly earnings: ReadonlyMap<string, number>;
}

async function read(documents: Documents, live: LiveModel): Promise<Books> {
  const accounts = live.collection('accounts');
  const sums = new Map<string, number>();
  const earnings = new Map<string, number>();
  const add = (to: Map<string, number>, name: string, kobo: number) =>
    to.set(name, (to.get(name) ?? 0) + kobo);
  const unbalanced: string[] = [];
  for await (const { id, document } of eachDocument<LedgerDocument>(documents, accounts, {})) {
    if (!document.balanced || !isBalanced(document)) unbalanced.push(id);
    if (id !== LEDGER_ID) for (const name of figures) add(sums, name, document[name]);
  }
  const sellers = eachDocument<EarningsDocument>(documents, live.collection('earnings'), {});
  for await (const { document } of sellers)
    for (const name of earned) add(earnings, name, document[name]);
  const all = await documents.get<LedgerDocument>(accounts, LEDGER_ID);
  return { all, unbalanced, sums, earnings };
}

function wrongSumsOf({ all, sums, earnings }: Books): readonly string[] {
  const total = (name: keyof LedgerAccounts) => all?.[name] ?? 0;
  return [
    ...figures
      .filter((name) => (sums.get(name) ?? 0) !== total(name))
      .map((name) => `${name} of the market and of its orders`),
    ...earned
      .filter((name) => (earnings.get(name) ?? 0) !== total(name))
      .map((name) => `${name} of the market and of its sellers`),
  ];
}

const TRIES = 200;

/**
 * Checks that every account balances and that the market's figures are the sums of its orders' and sellers'.
 * @throws Exit 1 when the live generation of the ledger is replaced meanwhile.
 */
export async function verifyLedger(context: AppContext): Promise<LedgerVerdict> {
  const { documents } = context.engines;
  for (let tries = 1; ; tries += 1) {
    const before = await context.readModels.checkpointOf(ledger);
    const live = await context.readModels.live(ledger);
    const books = await requireUnreplaced(documents, ledger, [live.generation], () =>
      read(documents, live),
    );
    const verdict = { unbalanced: books.unbalanced, wrongSums: wrongSumsOf(books) };
    const after = await context.readModels.checkpointOf(ledger);
    // The ledger moved on while it was read: read it again.
    if (isSound(verdict) || before?.position === after?.position || tries === TRIES) return verdict;
  }
}
