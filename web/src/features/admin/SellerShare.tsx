import { DAY_MS, limits, UNCONFIRMED_AFTER_MS } from '@oja/domain/rules';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Banknote, MapPin, Phone, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/error.js';
import { errorMessage, isRefused } from '../../api/failures.js';
import type { Transaction } from '../../api/types.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { createFormStorage, sellerFormsName } from '../../stores/form-storage.js';
import { useUser } from '../../stores/session.js';
import { StatusBadge } from '../../ui/Badge.js';
import { Button } from '../../ui/Button.js';
import { SellerSwatch } from '../../ui/Cloth.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { ConfirmButtons, Dialog } from '../../ui/Dialog.js';
import { Message, TextArea } from '../../ui/Field.js';
import { useFocusHeadingOnUnmount } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Picture } from '../../ui/Picture.js';
import { Naira } from '../../ui/Price.js';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import * as sellerGroupStyles from '../../ui/SellerGroup.module.css';
import { toast } from '../../ui/toast.js';
import { sellerAmount } from '../orders/labels.js';
import {
  productImagesQuery,
  productPlaceQuery,
  reloadAdminPages,
  resolveDispute,
  useIsHeadAdmin,
  useSeller,
} from './api.js';
import { isOverdue, orRemoved, shareBadges } from './labels.js';
import * as styles from './SellerShare.module.css';

interface SellerShareProps {
  readonly transaction: Transaction;
  readonly share: Transaction['shares'][number];
}

/** Whether the share is held so long after payment, neither confirmed nor disputed, that an admin may settle it. */
const isUnconfirmed = ({ transaction: { paid_at }, share }: SellerShareProps): boolean =>
  share.status === 'held' && isOverdue(paid_at);

/** One seller's goods in an order, the seller's share, and the buttons to settle it. */
export function SellerShare({ transaction, share }: SellerShareProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  // Kept here and not in the dialog, which may be closed and opened again after its answer was lost.
  const { withKey } = useIdempotencyKey();
  const head = useIsHeadAdmin();
  const own = useUser()?.user_id === share.user_id;
  const unconfirmed = isUnconfirmed({ transaction, share });
  const isSettled = share.status !== 'disputed' && !unconfirmed;
  const canSettle = head && !isSettled;
  const lines = transaction.lines.filter(({ user_id }) => user_id === share.user_id);
  return (
    <section
      className={`${panelStyles.panel} ${sellerGroupStyles.group}`}
      aria-label={`Goods of ${share.businessName}`}
    >
      <h2 className={productCardStyles.seller}>
        <SellerSwatch sellerId={share.user_id} size={24} />
        <span className={layout.grow}>{share.businessName}</span>
        {transaction.paid_at !== null && <StatusBadge of={shareBadges[share.status]} />}
      </h2>
      <SellerPhone sellerId={share.user_id} />
      {lines.map(({ product_id, prod_name, quantity, price }) => (
        <div className={styles.line} key={product_id}>
          <p>
            <b>{prod_name}</b>
            <span className={`${layout.muted} ${layout.figures} ${layout.small}`}>
              {quantity} × <Naira amount={price} />
            </span>
          </p>
          <ProductPlace productId={product_id} />
          <ProductPictures productId={product_id} name={prod_name} />
        </div>
      ))}
      <p className={`${layout.muted} ${layout.small}`}>
        The seller receives{' '}
        <b className={layout.figures}>
          <Naira amount={sellerAmount(share)} />
        </b>
      </p>
      {share.complaint !== undefined && (
        <blockquote className={styles.complaint}>
          <b>The buyer says</b>
          <p>{orRemoved(share.complaint)}</p>
        </blockquote>
      )}
      {unconfirmed && (
        <p className={`${layout.muted} ${layout.small}`}>
          The buyer has neither confirmed nor complained for {UNCONFIRMED_AFTER_MS / DAY_MS} days.
        </p>
      )}
      {canSettle && own && (
        <p className={`${layout.muted} ${layout.small}`}>
          These are your own goods: another head admin settles this.
        </p>
      )}
      {canSettle && !own && <SettleButtons onChoose={setOutcome} />}
      {outcome !== undefined && (
        <SettleDialog
          transactionId={transaction.transaction_id}
          share={share}
          outcome={outcome}
          needsNote={unconfirmed}
          isSettled={isSettled}
          withKey={withKey}
          onClose={() => setOutcome(undefined)}
        />
      )}
    </section>
  );
}

/** The buttons that settle a share. They unmount once it is settled. */
function SettleButtons({ onChoose }: { readonly onChoose: (outcome: Outcome) => void }) {
  useFocusHeadingOnUnmount();
  return (
    <div className={`${layout.row} ${layout.wrap} ${styles.decision}`}>
      <Button look="line" size="s" onClick={() => onChoose('refund')}>
        <Icon of={Undo2} size="s" />
        Refund the buyer
      </Button>
      <Button look="safe" size="s" onClick={() => onChoose('release')}>
        <Icon of={Banknote} size="s" />
        Release to the seller
      </Button>
    </div>
  );
}

/** The seller's phone number, to call before a rider is sent. */
function SellerPhone({ sellerId }: { readonly sellerId: string }) {
  const seller = useSeller(sellerId);
  if (seller === undefined || seller.phone_1 === null) return null;
  return (
    <p className={styles.reach}>
      <Icon of={Phone} size="s" />
      <a href={`tel:${seller.phone_1}`}>{seller.phone_1}</a>
      <CopyButton
        inLine
        text={seller.phone_1}
        what={`the phone number of ${seller.businessName}`}
      />
    </p>
  );
}

/** Where a rider collects the product. A removed product has no known place. */
function ProductPlace({ productId }: { readonly productId: string }) {
  const { data, error } = useQuery(productPlaceQuery(productId));
  if (error instanceof ApiError && error.status === 404) return null;
  if (error !== null) return <Message kind="err">Error fetching where to collect it</Message>;
  if (data === undefined) return null;
  return (
    <p className={styles.reach}>
      <Icon of={MapPin} size="s" />
      Collect in {data}
    </p>
  );
}

interface ProductPicturesProps {
  readonly productId: string;
  readonly name: string;
}

/** All pictures of an ordered product, so that an admin sees what was sold. */
function ProductPictures({ productId, name }: ProductPicturesProps) {
  const { data, error } = useQuery(productImagesQuery(productId));
  if (error instanceof ApiError && error.status === 404) return <NoImage />;
  if (error !== null) return <Message kind="err">Error fetching product image</Message>;
  if (data === undefined) return null;
  if (data.length === 0) return <NoImage />;
  return (
    <ul className={styles.pictures} aria-label={`Pictures of ${name}`}>
      {data.map((url, i) => (
        <li key={url}>
          <Picture url={url} alt={`${name}, picture ${i + 1}`} width={72} sizes="72px" />
        </li>
      ))}
    </ul>
  );
}

function NoImage() {
  return <Message kind="hint">No image with that product_id</Message>;
}

type Outcome = 'release' | 'refund';

interface SettleDialogProps {
  readonly transactionId: string;
  readonly share: Transaction['shares'][number];
  readonly outcome: Outcome;
  /** Whether a note is required, because the buyer has said nothing. */
  readonly needsNote: boolean;
  /** By now there is nothing to decide: another head admin was first, or it was done and its answer was lost. */
  readonly isSettled: boolean;
  readonly withKey: ReturnType<typeof useIdempotencyKey>['withKey'];
  readonly onClose: () => void;
}

/** Asks for confirmation, naming the seller, before a share is released or refunded. */
function SettleDialog(props: SettleDialogProps) {
  const { transactionId, share, outcome, needsNote, isSettled, withKey, onClose } = props;
  // Neither a dialog that is closed nor a session that ends loses it; each decision has a note of its own.
  const noteName = `${outcome} ${transactionId} ${share.user_id}`;
  const formStorage = createFormStorage(sellerFormsName(useUser()?.user_id ?? ''), [noteName]);
  const [note, setNote] = useState(() => formStorage.load()[noteName] ?? '');
  const [isMissing, setIsMissing] = useState(false);
  const settle = useMutation({
    mutationFn: (chosen: Outcome) => {
      const body = {
        sellerId: share.user_id,
        outcome: chosen,
        ...(note.trim() !== '' && { note }),
      };
      return withKey(body, (key) => resolveDispute(transactionId, body, key));
    },
    onSuccess: async (message) => {
      formStorage.save({});
      toast.success(message);
      onClose();
      await reloadAdminPages();
    },
    // It may be settled: the page then says how, and this dialog that there is nothing left to decide.
    onError: () => void reloadAdminPages(),
  });
  const release = outcome === 'release';
  const submit = () => {
    const missing = needsNote && note.trim() === '';
    setIsMissing(missing);
    if (!missing) settle.mutate(outcome);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      busy={settle.isPending}
      title={release ? `Release to ${share.businessName}?` : 'Refund the buyer?'}
      foot={
        isSettled && !settle.isPending ? (
          <div className={layout.row}>
            {/* In the place of the pressed button, which is gone. */}
            <Button autoFocus look="line" className={layout.grow} onClick={onClose}>
              OK
            </Button>
          </div>
        ) : (
          <ConfirmButtons
            no="Not now"
            onNo={onClose}
            look={release ? 'safe' : 'danger'}
            busy={settle.isPending}
            onYes={submit}
          >
            {release ? 'Release' : 'Refund'}
          </ConfirmButtons>
        )
      }
    >
      {isSettled ? (
        <p role="status">
          By now this is settled: <b>{shareBadges[share.status].label}</b>. The history of the order
          says who decided it.
        </p>
      ) : (
        <>
          <p>
            {release ? (
              <>
                <Naira amount={share.share} /> goes to {share.businessName}.
              </>
            ) : (
              <>What the buyer paid for the goods of {share.businessName} goes back to them.</>
            )}{' '}
            This cannot be taken back.
          </p>
          <div className={styles.note}>
            <TextArea
              label="Note"
              hint="Why. Kept with the order."
              required={needsNote}
              error={isMissing ? 'Please say why' : undefined}
              maxLength={limits.comment.max}
              value={note}
              onChange={({ target }) => {
                formStorage.save({ [noteName]: target.value });
                setNote(target.value);
              }}
            />
          </div>
        </>
      )}
      {settle.isError && (!isSettled || isRefused(settle.error)) && (
        <Message kind="err" role="alert">
          {errorMessage(settle.error)}
        </Message>
      )}
    </Dialog>
  );
}
