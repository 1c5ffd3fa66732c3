import { join } from 'node:path';
import { databases, isWithin, whyStopped } from '@oja/platform';
import type { AppContext } from '../../runtime/context.js';
import { type MarketStatus, marketStatus } from './figures.js';

/** Milliseconds for which the figures are cached: computing them is expensive, and sweeps run only once a minute. */
const KEPT_MS = 60_000;

type Figures = readonly (readonly [string, number])[];

/** The gauges for Prometheus, derived from `oja status`. Money is in kobo. */
const figures: readonly {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly of: (status: MarketStatus) => Figures;
}[] = [
  {
    name: 'oja_projection_parked_streams',
    help: 'Streams of live read models that wait because an event cannot be projected',
    label: 'projection',
    of: ({ projections }) =>
      projections
        .filter(({ role }) => role === 'live')
        .map(({ projection, parked }) => [projection, parked.length]),
  },
  {
    name: 'oja_obligations_open',
    help: 'Obligations of the market that are not met yet, whether due or not',
    label: 'kind',
    of: ({ obligations }) => obligations.map(({ kind, open }) => [kind, open]),
  },
  {
    name: 'oja_obligations_overdue',
    help: 'Obligations of the market that are overdue',
    label: 'kind',
    of: ({ obligations }) => obligations.map(({ kind, overdue }) => [kind, overdue]),
  },
  {
    name: 'oja_jobs_waiting',
    help: 'Jobs that are ready to run',
    label: 'queue',
    of: ({ queues }) =>
      Object.entries(queues ?? {}).map(([queue, { waiting }]) => [queue, waiting]),
  },
  {
    name: 'oja_jobs_failed',
    help: 'Jobs that have failed permanently and are still stored',
    label: 'queue',
    of: ({ queues }) => Object.entries(queues ?? {}).map(([queue, { failed }]) => [queue, failed]),
  },
  {
    name: 'oja_ledger_unbalanced_accounts',
    help: 'Accounts of the ledger that do not balance',
    of: ({ money }) => (money === null ? [] : [['', money.unbalanced]]),
  },
  {
    name: 'oja_ledger_held_aside_kobo',
    help: 'Payments in kobo that belong to no order and have not been refunded yet',
    of: ({ money }) => (money === null ? [] : [['', money.heldAside]]),
  },
  {
    name: 'oja_ledger_payable_kobo',
    help: 'Money in kobo that is released to sellers and not paid out yet',
    of: ({ money }) => (money === null ? [] : [['', money.payable]]),
  },
  {
    name: 'oja_ledger_refunds_due_kobo',
    help: 'Refunds in kobo that are due to buyers and not completed',
    of: ({ money }) => (money === null ? [] : [['', money.refundsDue]]),
  },
  {
    name: 'oja_problems',
    help: 'Problems that need attention: the last lines of oja status',
    of: ({ problems }) => [['', problems.length]],
  },
];

/** Registers a gauge that says which database files of this process take no writes. */
export function measureWrites({ config, metrics }: Pick<AppContext, 'config' | 'metrics'>): void {
  metrics.measure(
    {
      name: 'oja_writes_stopped',
      help: '1 while a file cannot be written to: it is damaged, or its disk is full or broken',
      label: 'file',
    },
    async () =>
      databases.map((name) => [name, whyStopped(join(config.dataDir, name)) === null ? 0 : 1]),
  );
}

/** Registers the gauges of the whole market; called only in the process that runs the projector. */
export function measureMarket(context: AppContext): void {
  let asked: { readonly at: number; readonly status: Promise<MarketStatus> } | null = null;
  const status = (): Promise<MarketStatus> => {
    const now = context.clock.now();
    if (asked !== null && isWithin(KEPT_MS, asked.at, now)) return asked.status;
    const looked = { at: now, status: marketStatus(context) };
    asked = looked;
    // A failure is not cached: the next request may find an engine that answers again.
    looked.status.catch(() => {
      if (asked === looked) asked = null;
    });
    return looked.status;
  };
  for (const { of, ...gauge } of figures)
    context.metrics.measure(gauge, async () => of(await status()));
}
