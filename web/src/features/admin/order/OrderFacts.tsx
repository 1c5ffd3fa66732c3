import type { ReactNode } from 'react';
import type { Transaction } from '../../../api/types.js';
import { Naira } from '../../../ui/Price.js';
import { lagosTime } from '../../history/times.js';
import { personalWords } from './words.js';

const open = new Set(['held', 'disputed']);

/** What is still held for the sellers of an order, in naira. */
export function heldOf({ shares, paid_at }: Transaction): number {
  if (paid_at === null) return 0;
  return shares.filter(({ status }) => open.has(status)).reduce((sum, { share }) => sum + share, 0);
}

/** Who bought, for how much, and how it was paid. */
export function OrderFacts({ transaction: t }: { readonly transaction: Transaction }) {
  return (
    <section className="panel" aria-label="Order">
      <h2 className="h3 first">Order</h2>
      <dl className="facts2">
        <Fact label="Amount" className="price mid">
          <Naira amount={t.amount} />
        </Fact>
        <Fact label="Held for sellers" className="price mid">
          <Naira amount={heldOf(t)} />
        </Fact>
        <Fact label="Reference" className="mono">
          {t.reference}
        </Fact>
        <Fact label="Channel">{[t.channel, t.currency].filter(Boolean).join(', ')}</Fact>
        <Fact label="Created At">{lagosTime(t.created_at)} Lagos time</Fact>
        <Fact label="Paid At">
          {t.paid_at === null ? 'not paid' : `${lagosTime(t.paid_at)} Lagos time`}
        </Fact>
        <Fact label="Delivery fee">
          <Naira amount={t.delivery_fee} />
        </Fact>
        <Fact label="Buyer Name">{personalWords(t.buyer_name)}</Fact>
        <Fact label="Phone Number" className="num">
          {personalWords(t.phone_number)}
        </Fact>
        <Fact label="E-mail">{personalWords(t.email)}</Fact>
        <Fact label="Home Address" wide>
          {personalWords(t.home_address)}
        </Fact>
      </dl>
    </section>
  );
}

interface FactProps {
  readonly label: string;
  readonly className?: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Fact({ label, className, wide, children }: FactProps) {
  return (
    <div className={wide ? 'w' : undefined}>
      <dt>{label}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}
