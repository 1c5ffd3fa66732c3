import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { forEachConcurrently } from '../../api/concurrent.js';
import { errorMessage, isSurelyUndone } from '../../api/failures.js';
import { queryClient } from '../../api/query-client.js';
import type { Transaction } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { ConfirmButtons, Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { PercentBar } from '../../ui/PercentBar.js';
import { formatCount } from '../../ui/Price.js';
import { toast } from '../../ui/toast.js';
import { reloadAdminPages, removeBuyerRecord, transactionsQuery } from './api.js';

interface RemoveDeliveredProps {
  readonly delivered: readonly Transaction[];
  readonly hasOlder: boolean;
  /** Loads all older transactions. @throws ApiError */
  readonly readAll: () => Promise<unknown>;
}

/** Loads all transactions first, so that the question names the full count; asks once, then shows the progress. */
export function RemoveDelivered({ delivered, hasOlder, readAll }: RemoveDeliveredProps) {
  const [asking, setAsking] = useState(false);
  const [reading, setReading] = useState(false);
  const { run, stop, removing } = useRemoveDelivered();
  const close = () => setAsking(false);
  const ask = async () => {
    if (!hasOlder) return setAsking(true);
    setReading(true);
    try {
      await readAll();
      setAsking(true);
    } catch {
      // The query has logged it.
      toast.error('Failure retrieving the data!');
    }
    setReading(false);
  };
  const start = async () => {
    await run(delivered);
    setAsking(false);
  };
  const count = delivered.length;
  const isEmpty = count === 0 && !hasOlder;
  return (
    <>
      <Button
        look="danger-line"
        size="s"
        busy={reading}
        // Gets the focus back when everything is removed; a disabled button would not take it.
        {...(isEmpty && { 'aria-disabled': true })}
        onClick={() => isEmpty || void ask()}
      >
        <Icon of={Trash2} size="s" />
        remove delivered
      </Button>
      <Dialog
        open={asking}
        onClose={close}
        plain={removing !== undefined}
        busy={removing !== undefined}
        title={`Remove ${formatCount(count, 'delivered record')}?`}
        foot={
          removing === undefined ? (
            <ConfirmButtons
              no="Keep them"
              onNo={close}
              disabled={count === 0}
              onYes={() => void start()}
            >
              Remove
            </ConfirmButtons>
          ) : (
            <div className={layout.row}>
              {/* In the place of the pressed button, which is gone. */}
              <Button
                autoFocus
                look="line"
                className={layout.grow}
                busy={removing.isStopping}
                onClick={stop}
              >
                Stop
              </Button>
            </div>
          )
        }
      >
        {removing === undefined ? (
          <p>
            The buyers' names, addresses and phone numbers are destroyed. This cannot be taken back.
            What the orders earned stays in the books.
          </p>
        ) : (
          <PercentBar
            value={(100 * removing.done) / Math.max(1, removing.total)}
            label="Removing delivered records"
          />
        )}
      </Dialog>
    </>
  );
}

/** Records removed in parallel. */
const CONCURRENCY = 4;

interface RemovalProgress {
  readonly done: number;
  readonly total: number;
  /** No further record is begun. */
  readonly isStopping: boolean;
}

/** Removes the given buyer records, until there are none or `stop` is called, then refetches the admin queries. */
function useRemoveDelivered() {
  const [removing, setRemoving] = useState<RemovalProgress>();
  const stops = useRef(false);
  const show = (done: number, total: number) =>
    setRemoving({ done, total, isStopping: stops.current });
  const run = async (delivered: readonly Transaction[]) => {
    const total = delivered.length;
    let done = 0;
    let refused = 0;
    /** Nobody knows yet whether these are removed. */
    const unanswered = new Set<string>();
    let refusal: string | undefined;
    stops.current = false;
    show(done, total);
    await forEachConcurrently(delivered, CONCURRENCY, async ({ buyer_id }) => {
      if (stops.current) return;
      try {
        await removeBuyerRecord(buyer_id);
      } catch (error) {
        console.error(error);
        if (isSurelyUndone(error)) {
          refused += 1;
          refusal ??= errorMessage(error);
        } else unanswered.add(buyer_id);
      }
      done += 1;
      show(done, total);
    });
    await reloadAdminPages();
    setRemoving(undefined);
    const { queryKey } = transactionsQuery;
    const listed = queryClient.getQueryData(queryKey)?.pages.flatMap(({ result }) => result) ?? [];
    // A page that was left meanwhile reads nothing, and a session that ended has no list.
    const isRead = queryClient.getQueryState(queryKey)?.isInvalidated === false;
    const failed = refused + listed.filter(({ buyer_id }) => unanswered.has(buyer_id)).length;
    if (!isRead && unanswered.size > 0)
      toast.error(
        `Of ${unanswered.size} of ${total} records no answer came. Refresh the table to see whether they are removed.`,
      );
    else if (done < total)
      toast.success(`${done - failed} of ${total} records removed. The others were kept.`);
    else if (failed > 0)
      toast.error(`${failed} of ${total} records were not removed. ${refusal ?? 'Try again.'}`);
    else toast.success(`${formatCount(total, 'delivered record')} removed`);
  };
  const stop = () => {
    stops.current = true;
    setRemoving((now) => now && { ...now, isStopping: true });
  };
  return { run, stop, removing };
}
