import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { forEachConcurrently } from '../../api/concurrent.js';
import { errorMessage } from '../../api/failures.js';
import { reloadGoods } from '../../api/own-products.js';
import type { OwnProduct } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { ConfirmButtons, Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { PercentBar } from '../../ui/PercentBar.js';
import { formatCount } from '../../ui/Price.js';
import { toast } from '../../ui/toast.js';
import {
  changeStatus,
  IN_TRANSACTION,
  type ProductAct,
  removeUnlessInTransaction,
} from './OwnCard.js';
import * as styles from './OwnGoods.module.css';
import { applyStatusMessage } from './unavailable.js';

/** What was done to the products, after 'was', 'were' or their number. */
const resultWords: Readonly<Record<ProductAct, string>> = {
  AVAILABLE: 'made available',
  UNAVAILABLE: 'made unavailable',
  REMOVED: 'removed',
};

interface BulkActionsProps {
  readonly shown: readonly OwnProduct[];
  readonly chosen: readonly OwnProduct[];
  /** Whether what is shown is about to be replaced by another list. */
  readonly isReplacing: boolean;
  readonly onChoose: (products: readonly OwnProduct[]) => void;
  readonly onDone: () => void;
}

/** Actions on several products at once. Removal asks first. Products that failed are listed, and stay selected. */
export function BulkActions({ shown, chosen, isReplacing, onChoose, onDone }: BulkActionsProps) {
  const [asking, setAsking] = useState(false);
  const { run, running, failed, forget } = useBulkAction(onChoose, onDone);
  const none = chosen.length === 0;
  const all = chosen.length === shown.length;
  const remove = () => {
    setAsking(false);
    void run(chosen, 'REMOVED');
  };
  return (
    <section className={styles.bulk} aria-label="Chosen products">
      <p role="status">
        <b>{chosen.length.toLocaleString('en-NG')} chosen</b>
      </p>
      <div className={layout.row}>
        <Button
          look="ghost"
          size="s"
          disabled={isReplacing}
          onClick={() => onChoose(all ? [] : shown)}
        >
          {all ? 'Choose none' : `Choose all ${shown.length.toLocaleString('en-NG')} shown`}
        </Button>
        <Button look="ghost" size="s" onClick={onDone}>
          Done
        </Button>
      </div>
      <div className={`${layout.row} ${styles.bulkActs}`}>
        <Button look="line" size="s" disabled={none} onClick={() => void run(chosen, 'AVAILABLE')}>
          <Icon of={Eye} size="s" />
          <span>
            <MakePrefix />
            available
          </span>
        </Button>
        <Button
          look="line"
          size="s"
          disabled={none}
          onClick={() => void run(chosen, 'UNAVAILABLE')}
        >
          <Icon of={EyeOff} size="s" />
          <span>
            <MakePrefix />
            unavailable
          </span>
        </Button>
        <Button look="danger-line" size="s" disabled={none} onClick={() => setAsking(true)}>
          <Icon of={Trash2} size="s" />
          Remove
          <span className={layout.visuallyHidden}> them</span>
        </Button>
      </div>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${formatCount(chosen.length, 'product')}?`}
        foot={
          <ConfirmButtons no="Keep them" onNo={() => setAsking(false)} onYes={remove}>
            Remove {formatCount(chosen.length, 'product')}
          </ConfirmButtons>
        }
      >
        <p>They leave your store and every list at once. This cannot be taken back.</p>
        <p className={layout.muted}>
          Those in an order stay. To take them off sale for a while, make them unavailable instead.
        </p>
      </Dialog>
      <Dialog open={running !== undefined} onClose={ignoreClose} plain title="One moment">
        {running && (
          <PercentBar value={(100 * running.done) / running.total} label="Changing products" />
        )}
      </Dialog>
      <Dialog
        open={failed !== undefined}
        onClose={forget}
        title={failed === undefined ? '' : failureTitle(failed)}
      >
        {failed && failed.reasons.length < failed.of && (
          <p>{successText(failed.of - failed.reasons.length, failed.act)}</p>
        )}
        <ul className={layout.stack}>
          {failed?.reasons.map(({ product, why }) => (
            <li key={product.product_id}>
              <b>{product.prod_name}</b>
              <br />
              <span className={layout.muted}>{why}</span>
            </li>
          ))}
        </ul>
      </Dialog>
    </section>
  );
}

/** Hidden on phones, which have no room for it. */
const MakePrefix = () => <span className={styles.make}>Make </span>;

/** Escape and a press outside do not stop the running action. */
function ignoreClose() {}

/** Calls made in parallel. */
const CONCURRENCY = 4;

interface BulkFailure {
  readonly act: ProductAct;
  readonly of: number;
  readonly reasons: readonly { readonly product: OwnProduct; readonly why: string }[];
}

const successText = (count: number, act: ProductAct) =>
  `${formatCount(count, 'product')} ${resultWords[act]}`;

const failureTitle = ({ act, of, reasons }: BulkFailure) =>
  `${reasons.length} of ${of} ${reasons.length === 1 ? 'was' : 'were'} not ${resultWords[act]}`;

/** @returns why the action failed; undefined when it succeeded */
async function applyToProduct(
  { product_id }: OwnProduct,
  act: ProductAct,
): Promise<string | undefined> {
  try {
    if (act === 'REMOVED')
      return (await removeUnlessInTransaction(product_id)) === undefined
        ? IN_TRANSACTION
        : undefined;
    applyStatusMessage(product_id, await changeStatus(product_id, act));
    return undefined;
  } catch (error) {
    console.error(error);
    return errorMessage(error);
  }
}

function useBulkAction(choose: BulkActionsProps['onChoose'], done: () => void) {
  const [running, setRunning] = useState<{ readonly done: number; readonly total: number }>();
  const [failed, setFailed] = useState<BulkFailure>();
  const run = async (chosen: readonly OwnProduct[], act: ProductAct) => {
    const total = chosen.length;
    const reasons: { product: OwnProduct; why: string }[] = [];
    let worked = 0;
    setRunning({ done: worked, total });
    await forEachConcurrently(chosen, CONCURRENCY, async (product) => {
      const why = await applyToProduct(product, act);
      if (why !== undefined) reasons.push({ product, why });
      worked += 1;
      setRunning({ done: worked, total });
    });
    await reloadGoods();
    setRunning(undefined);
    if (reasons.length === 0) {
      toast.success(successText(total, act));
      return done();
    }
    // What worked is said there too: while a dialog stands, no message outside of it is announced.
    setFailed({ act, of: total, reasons });
    choose(reasons.map(({ product }) => product));
  };
  return { run, running, failed, forget: () => setFailed(undefined) };
}
