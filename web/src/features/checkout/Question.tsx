import { PackageCheck, PackageX } from 'lucide-react';
import { messageOf } from '../../api/error.js';
import type { Order } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { Message } from '../../ui/Field.js';
import { Icon } from '../../ui/Icon.js';
import { Naira } from '../../ui/Price.js';
import { Stepper } from '../../ui/Stepper.js';
import { OrderGoods } from './OrderGoods.js';
import { listed } from './order-view.js';
import { ProblemReport } from './ProblemReport.js';
import { useAnswer } from './use-answer.js';

/** Have you received the product? Yes pays the sellers, No keeps the money where it is. */
export function Question({ order }: { readonly order: Order }) {
  const { yes, no, sending, error } = useAnswer(order.transactionId);
  const disputed = order.shares.filter(({ status }) => status === 'disputed');
  return (
    <>
      <div className="stepline">
        <Stepper now={4} />
      </div>
      <section className="panel big1">
        <h1 className="c">Have you received the product?</h1>
        <p className="muted c check-first">
          Check that everything is here and as described before you answer. Yes pays the sellers; it
          cannot be taken back.
        </p>
        {disputed.length > 0 && (
          <p className="small c open-problem">
            We are looking into the goods of {listed(disputed.map((share) => share.businessName))}.
            Yes pays the others only.
          </p>
        )}
        <OrderGoods goods={order.lines} named />
        {error !== null && (
          <Message kind="err" role="alert" className="answer-failed">
            {messageOf(error)}
          </Message>
        )}
        <div className="yn">
          <Button look="safe" className="answer" onClick={yes} busy={sending}>
            <Icon of={PackageCheck} />
            Yes
          </Button>
          <Button look="line" className="answer" onClick={no} busy={sending}>
            <Icon of={PackageX} />
            No
          </Button>
        </div>
        <p className="small muted c after">
          No keeps your <Naira amount={order.amount} /> held, and we look into it with the seller.
        </p>
        <ProblemReport order={order} />
      </section>
    </>
  );
}
