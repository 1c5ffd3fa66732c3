import { Button } from '../../ui/Button.js';
import { Dialog } from '../../ui/Dialog.js';

interface PaymentErrorProps {
  /** What the server or the network said; undefined while nothing failed. */
  readonly message: string | undefined;
  readonly onClose: () => void;
}

/** The provider's page could not be reached. What was typed stays, and so does the order. */
export function PaymentError({ message, onClose }: PaymentErrorProps) {
  return (
    <Dialog
      open={message !== undefined}
      onClose={onClose}
      title="Payment Error"
      plain
      foot={
        <Button full onClick={onClose}>
          Close
        </Button>
      }
    >
      <p>There was an issue redirecting to the payment page. Please try again.</p>
      {message !== undefined && <p className="muted small why">{message}</p>}
    </Dialog>
  );
}
