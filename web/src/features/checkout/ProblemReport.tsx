import { useState } from 'react';
import type { Order } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { timeOf } from './order-view.js';
import { ProblemDialog } from './ProblemDialog.js';

/** From 48 hours after payment; before, it says from when. */
export function ProblemReport({ order }: { readonly order: Order }) {
  const [open, setOpen] = useState(false);
  if (!order.may_report_problem)
    return order.report_from === null ? null : (
      <p className="tiny muted c after">
        Something wrong with the goods? You can report a problem from {timeOf(order.report_from)}.
      </p>
    );
  return (
    <>
      <p className="c after">
        <Button look="ghost" size="s" onClick={() => setOpen(true)}>
          Report a problem
        </Button>
      </p>
      {open && <ProblemDialog order={order} onClose={() => setOpen(false)} />}
    </>
  );
}
