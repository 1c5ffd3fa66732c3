import { Dialog } from './Dialog.js';

interface PriceAndDeliveryProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The delivery rule in the words that shoppers are promised. */
export function DeliveryRule() {
  return (
    <>
      <p>Items purchased are GREATER or LESS THAN 5000:</p>
      <dl className="deliv">
        <div>
          <dt>Below ₦5,000.00</dt>
          <dd>delivery fee of ₦800.00</dd>
        </div>
        <div>
          <dt>Above ₦5,000.00</dt>
          <dd>no fee, delivered in 24 hours</dd>
        </div>
      </dl>
    </>
  );
}

/** The rule as a dialog, behind the info float. */
export function PriceAndDelivery({ open, onClose }: PriceAndDeliveryProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Price and Delivery">
      <DeliveryRule />
    </Dialog>
  );
}
