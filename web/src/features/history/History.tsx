import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  Banknote,
  Bell,
  CreditCard,
  Hourglass,
  type LucideIcon,
  PackageCheck,
  PackageX,
  Pencil,
  ShieldCheck,
  ShieldUser,
  ShoppingBasket,
  Undo2,
  Upload,
} from 'lucide-react';
import { call } from '../../api/client.js';
import type { TimelineEntry } from '../../api/types.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { LoadFailed } from '../../ui/States.js';
import { Timeline, type TimelineStep } from '../../ui/Timeline.js';
import { lagosTime } from './times.js';

type TimelineKind = 'transaction' | 'product' | 'seller';

/** Who did what and when, oldest first. */
function timelineQuery(kind: TimelineKind, id: string) {
  return queryOptions({
    queryKey: ['timeline', kind, id],
    queryFn: async ({ signal }) => {
      return (await call('getTimeline', { params: { kind, id }, signal })).result;
    },
  });
}

type EntryLook = Pick<TimelineStep, 'icon' | 'tone'>;

const ok = (icon: LucideIcon): EntryLook => ({ icon, tone: 'ok' });
const bad = (icon: LucideIcon): EntryLook => ({ icon, tone: 'bad' });

/** Icon and tone of an event type; any other gets a pencil. */
const entryLooks: Readonly<Record<string, EntryLook>> = {
  ProductListed: { icon: Upload },
  ProductRemoved: bad(PackageX),
  SellerSuspended: bad(ShieldUser),
  SubAdminGranted: { icon: ShieldUser },
  HeadAdminGranted: { icon: ShieldUser },
  OrderPlaced: { icon: ShoppingBasket },
  PaymentInitialized: { icon: CreditCard },
  PaymentVerified: ok(ShieldCheck),
  PaymentMismatched: bad(CreditCard),
  PaymentReversed: bad(CreditCard),
  PaymentReturnedInPart: bad(CreditCard),
  OrderExpired: { icon: Hourglass },
  DeliveryNotYet: { icon: Bell },
  DeliveryDisputed: bad(PackageX),
  DeliveryConfirmed: ok(PackageCheck),
  SellerShareReleased: ok(Banknote),
  PayoutRequested: { icon: Banknote },
  PayoutCompleted: ok(Banknote),
  PayoutCleared: ok(Banknote),
  PayoutDoubled: bad(Banknote),
  DoubledPayoutReturned: ok(Banknote),
  PayoutFailed: bad(Banknote),
  RefundRequested: { icon: Undo2 },
  RefundCompleted: { icon: Undo2 },
  RefundUndone: bad(Undo2),
  RefundReduced: { icon: Undo2 },
  RefundFailed: bad(Undo2),
};

/** Display names of actors that are not users. */
const actors: Readonly<Record<string, string>> = {
  buyer: 'The buyer',
  paystack: 'Paystack',
  operator: 'An operator',
  seed: 'Sample goods',
  sweep: 'Oja, by itself',
};

/** In the log, sellers and admins are 'seller:' and their id, operators 'operator:' and their name. */
const SELLER = 'seller:';
const NAMED_OPERATOR = 'operator:';

export type Names = Readonly<Record<string, string>>;

function actorName(actor: string, names: Names): string {
  if (actor.startsWith(SELLER)) return names[actor.slice(SELLER.length)] ?? 'A seller or admin';
  if (actor.startsWith(NAMED_OPERATOR)) return `${actor.slice(NAMED_OPERATOR.length)} (operator)`;
  return actors[actor] ?? actor;
}

/** A timeline entry as a step to show. */
export function toTimelineStep(
  { id, type, text, actor, at }: TimelineEntry,
  names: Names,
): TimelineStep {
  const look = entryLooks[type] ?? { icon: Pencil };
  return {
    id,
    ...look,
    title: text,
    detail: (
      <>
        <bdi>{actorName(actor, names)}</bdi>, <time dateTime={at}>{lagosTime(at)}</time> Lagos time
      </>
    ),
  };
}

interface HistoryProps {
  readonly kind: TimelineKind;
  readonly id: string;
  /** Seller id → display name. */
  readonly names: Names;
  /** What still has to happen; shown first. */
  readonly next?: { readonly title: string; readonly detail: string };
}

/** Who did what and when, taken from the events; newest first. */
export function History({ kind, id, names, next }: HistoryProps) {
  const { data, isError, refetch } = useQuery(timelineQuery(kind, id));
  if (data === undefined)
    return isError ? <LoadFailed onRetry={() => void refetch()} /> : <Skeleton height={180} />;
  const todo: TimelineStep[] =
    next === undefined ? [] : [{ id: 'next', icon: Hourglass, tone: 'todo', ...next }];
  const done = data.map((entry) => toTimelineStep(entry, names)).reverse();
  return <Timeline label="Who did what, when" steps={[...todo, ...done]} />;
}
