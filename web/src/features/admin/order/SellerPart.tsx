import { Banknote, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Transaction } from '../../../api/types.js';
import { Badge } from '../../../ui/Badge.js';
import { Button } from '../../../ui/Button.js';
import { Icon } from '../../../ui/Icon.js';
import { Naira } from '../../../ui/Price.js';
import { SellerSwatch } from '../../../ui/SellerSwatch.js';
import { useIsHead } from '../rights.js';
import { ProductPictures } from './ProductPictures.js';
import { type Outcome, SettleDialog } from './SettleDialog.js';
import { personalWords, shareSigns } from './words.js';

interface SellerPartProps {
  readonly transaction: Transaction;
  readonly share: Transaction['shares'][number];
}

/** One seller's goods of an order, what they are owed, and a dispute to settle. */
export function SellerPart({ transaction, share }: SellerPartProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  const head = useIsHead();
  const { tone, icon, words } = shareSigns[share.status];
  const lines = transaction.lines.filter(({ user_id }) => user_id === share.user_id);
  return (
    <section className="panel cgroup" aria-label={`Goods of ${share.businessName}`}>
      <h2 className="seller">
        <SellerSwatch sellerId={share.user_id} size={24} />
        <span className="grow">{share.businessName}</span>
        {transaction.paid_at !== null && (
          <Badge tone={tone} icon={icon}>
            {words}
          </Badge>
        )}
      </h2>
      {lines.map(({ product_id, prod_name, quantity, price }) => (
        <div className="soldline" key={product_id}>
          <p>
            <b>{prod_name}</b>
            <span className="muted num small">
              {quantity} × <Naira amount={price} />
            </span>
          </p>
          <ProductPictures productId={product_id} name={prod_name} />
        </div>
      ))}
      <p className="muted small">
        The seller receives{' '}
        <b className="num">
          <Naira amount={share.share} />
        </b>
      </p>
      {share.complaint !== undefined && (
        <blockquote className="complaint">
          <b>The buyer says</b>
          <p>{personalWords(share.complaint)}</p>
        </blockquote>
      )}
      {share.status === 'disputed' && head && (
        <div className="row wrap decide">
          <Button look="line" size="s" onClick={() => setOutcome('refund')}>
            <Icon of={Undo2} size="s" />
            Refund the buyer
          </Button>
          <Button look="safe" size="s" onClick={() => setOutcome('release')}>
            <Icon of={Banknote} size="s" />
            Release to the seller
          </Button>
        </div>
      )}
      <SettleDialog
        transactionId={transaction.transaction_id}
        share={share}
        outcome={outcome}
        onClose={() => setOutcome(undefined)}
      />
    </section>
  );
}
