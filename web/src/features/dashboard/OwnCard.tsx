import { productPath } from '@oja/contracts/pages';
import { useMutation } from '@tanstack/react-query';
import { EyeOff, MapPin, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/error.js';
import { errorMessage, isNotFound, isSurelyUndone } from '../../api/failures.js';
import {
  isInTransaction,
  ownProductQuery,
  reloadGoods,
  removeProduct,
  toggleStatus,
} from '../../api/own-products.js';
import { queryClient } from '../../api/query-client.js';
import type { OwnProduct } from '../../api/types.js';
import { useIsSuspended } from '../../stores/session.js';
import { Checkbox } from '../../ui/Checkbox.js';
import { classes } from '../../ui/classes.js';
import { ConfirmButtons, Dialog } from '../../ui/Dialog.js';
import { useFocusHeadingOnUnmount } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { Picture } from '../../ui/Picture.js';
import { Price } from '../../ui/Price.js';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { Switch } from '../../ui/Switch.js';
import { toast } from '../../ui/toast.js';
import * as styles from './OwnGoods.module.css';
import { applyStatusMessage } from './unavailable.js';

interface OwnCardProps {
  readonly product: OwnProduct;
  readonly unavailable: boolean;
  readonly eager: boolean;
  /** Whether the product is selected; undefined while nothing is being selected. */
  readonly chosen: boolean | undefined;
  readonly onChoose: (chosen: boolean) => void;
}

/** One of the seller's own products, with its switch and the links to edit or remove it. */
export function OwnCard({ product, unavailable, eager, chosen, onChoose }: OwnCardProps) {
  const [asking, setAsking] = useState(false);
  const toggle = useToggleStatus(product.product_id);
  const suspended = useIsSuspended();
  // Removed, or no longer among those that are shown.
  useFocusHeadingOnUnmount();
  return (
    <>
      <article
        className={classes(
          productCardStyles.card,
          styles.card,
          unavailable && styles.unavailable,
          chosen === true && styles.chosen,
        )}
      >
        <Link className={productCardStyles.picture} to={productPath(product)}>
          <Picture
            url={product.image_urls[0]}
            alt={product.prod_name}
            eager={eager}
            sizes="(min-width: 1170px) 220px, (min-width: 640px) 33vw, 50vw"
          />
          {unavailable && (
            <span className={`${productCardStyles.tag} ${styles.offSale}`}>
              <Icon of={EyeOff} size="xs" />
              Unavailable
            </span>
          )}
        </Link>
        {chosen !== undefined && (
          <div className={styles.choice}>
            <Checkbox checked={chosen} onChange={(event) => onChoose(event.target.checked)}>
              <span className={layout.visuallyHidden}>Choose {product.prod_name}</span>
            </Checkbox>
          </div>
        )}
        <div className={productCardStyles.body}>
          <Price amount={product.price} />
          <h3 className={productCardStyles.name}>{product.prod_name}</h3>
          {product.stock !== undefined && (
            <p className={layout.small}>
              {product.stock === 0 ? (
                <b>Sold out</b>
              ) : (
                `${product.stock.toLocaleString('en-NG')} left`
              )}
            </p>
          )}
          <p className={productCardStyles.place}>
            <Icon of={MapPin} size="xs" />
            <span>
              {product.local_govt}, {product.state}
            </span>
          </p>
          <div className={productCardStyles.actions}>
            <Switch
              on={!unavailable}
              labels={['Available', 'Unavailable']}
              of={product.prod_name}
              busy={toggle.isPending}
              locked={suspended}
              onTurn={() => toggle.mutate(unavailable ? 'AVAILABLE' : 'UNAVAILABLE')}
            />
            {!suspended && (
              <div className={styles.acts}>
                <Link to={`${productPath(product)}/update`}>
                  <Icon of={Pencil} size="s" />
                  Edit<span className={layout.visuallyHidden}>, {product.prod_name}</span>
                </Link>
                <button
                  type="button"
                  className={styles.removeButton}
                  onClick={() => setAsking(true)}
                >
                  <Icon of={Trash2} size="s" />
                  Remove<span className={layout.visuallyHidden}>, {product.prod_name}</span>
                </button>
              </div>
            )}
          </div>
        </div>
      </article>
      {/* Beside the card, which cuts off what is larger than itself. */}
      <RemoveDialog product={product} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

interface RemoveDialogProps {
  readonly product: { readonly product_id: string; readonly prod_name: string };
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation, naming the product. */
function RemoveDialog({ product, open, onClose }: RemoveDialogProps) {
  const removal = useRemoveProduct(product.product_id, onClose);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      busy={removal.isPending}
      title={`Remove ${product.prod_name}?`}
      foot={
        <ConfirmButtons
          no="Keep it"
          onNo={onClose}
          busy={removal.isPending}
          onYes={() => removal.mutate()}
        >
          Remove
        </ConfirmButtons>
      }
    >
      <p>It leaves your store and every list at once. This cannot be taken back.</p>
      <p className={layout.muted}>To take it off sale for a while, make it unavailable instead.</p>
    </Dialog>
  );
}

export const IN_TRANSACTION = 'This product is still in transaction!';

/** What a product becomes. */
export type ProductAct = OwnProduct['status'] | 'REMOVED';

/** Asks the market whether a product is as it was to be: the answer to the action was lost. */
async function isApplied(productId: string, act: ProductAct): Promise<boolean> {
  try {
    const own = await queryClient.fetchQuery({ ...ownProductQuery(productId), staleTime: 0 });
    return own?.status === act;
  } catch (error) {
    return act === 'REMOVED' && isNotFound(error);
  }
}

/** Changes a product. What failed although it was done ends with `done`, which stands for the lost answer. @throws ApiError */
async function orIsApplied<T>(
  productId: string,
  act: ProductAct,
  change: () => Promise<T>,
  done: T,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (isSurelyUndone(error) || !(await isApplied(productId, act))) throw error;
    return done;
  }
}

/** Makes a product available or unavailable. @returns the server's message. @throws ApiError */
export const changeStatus = (productId: string, status: OwnProduct['status']): Promise<string> =>
  orIsApplied(
    productId,
    status,
    () => toggleStatus(productId, status),
    `Product status changed to ${status.toLowerCase()}`,
  );

/** Makes a product available or unavailable. Its card follows the server's answer. */
function useToggleStatus(productId: string) {
  return useMutation({
    mutationFn: (status: OwnProduct['status']) => changeStatus(productId, status),
    onSuccess: (message) => applyStatusMessage(productId, message),
    onError: () => toast.error('Error changing product Status'),
    // After a failure too: this page may be out of date, because another tab has removed the product.
    onSettled: () => void reloadGoods(),
  });
}

/**
 * Removes a product unless it is in an open paid transaction.
 * @returns the server's message; undefined when the product stays
 * @throws ApiError
 */
export const removeUnlessInTransaction = (productId: string): Promise<string | undefined> =>
  orIsApplied(
    productId,
    'REMOVED',
    async () => {
      if (await isInTransaction(productId)) return undefined;
      try {
        return await removeProduct(productId);
      } catch (error) {
        // The product was ordered between the check and the removal.
        if (error instanceof ApiError && error.code === 'in_transaction') return undefined;
        throw error;
      }
    },
    'successfully removed your product',
  );

/** Removes the product after the seller has confirmed. A product in a transaction stays. */
function useRemoveProduct(productId: string, done: () => void) {
  return useMutation({
    mutationFn: () => removeUnlessInTransaction(productId),
    // After a failure too: this page may be out of date, because another tab has removed the product.
    onSettled: async (message, error) => {
      await reloadGoods();
      done();
      // Last: while the dialog stands, no message outside of it is announced or can be reached.
      if (error !== null) toast.error(errorMessage(error));
      else if (message === undefined) toast.error(IN_TRANSACTION);
      else toast.success(message);
    },
  });
}
