import { useIsFetching } from '@tanstack/react-query';
import { Screen } from '../../app/Screen.js';
import '../../styles/parts/checkout.css';
import './checkout.css';
import { ConfirmationSkeleton } from './ConfirmationSkeleton.js';
import { NothingToConfirm } from './NothingToConfirm.js';
import { OrderToConfirm } from './OrderToConfirm.js';
import { OtherOrders } from './OtherOrders.js';
import { useSelectedOrder } from './use-selected-order.js';

/** Have you received the product? For one order at a time; the others of this browser are listed below. */
export function Component() {
  const { selected, others, choose, settle } = useSelectedOrder();
  const asking = useIsFetching({ queryKey: ['orders'] }) > 0;
  return (
    <Screen title="Have you received the product?" className="page narrow">
      {selected !== undefined && (
        <OrderToConfirm key={selected} orderKey={selected} onKnown={settle} />
      )}
      {selected === undefined && (asking ? <ConfirmationSkeleton /> : <NothingToConfirm />)}
      <OtherOrders keys={others} onChoose={choose} />
    </Screen>
  );
}
