import { Button } from '../../ui/Button.js';
import { Dialog } from '../../ui/Dialog.js';
import { useRemoval } from './use-own-acts.js';

interface RemoveDialogProps {
  readonly product: { readonly product_id: string; readonly prod_name: string };
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks once, by name. */
export function RemoveDialog({ product, open, onClose }: RemoveDialogProps) {
  const removal = useRemoval(product.product_id, onClose);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Remove ${product.prod_name}?`}
      foot={
        <div className="row">
          <Button look="line" className="grow" onClick={onClose}>
            Keep it
          </Button>
          <Button
            look="danger"
            className="grow"
            busy={removal.isPending}
            onClick={() => removal.mutate()}
          >
            Remove
          </Button>
        </div>
      }
    >
      <p>It leaves your store and every list at once. This cannot be taken back.</p>
      <p className="muted">To take it off sale for a while, make it unavailable instead.</p>
    </Dialog>
  );
}
