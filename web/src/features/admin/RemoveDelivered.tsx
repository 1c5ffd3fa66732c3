import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { eachOf } from '../../api/each-of.js';
import { readAgain } from '../../api/query-client.js';
import type { Transaction } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { Choice, Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';
import { PercentBar } from '../../ui/PercentBar.js';
import { countOf } from '../../ui/Price.js';
import { toast } from '../../ui/toast.js';
import { removeBuyerRecord } from './api.js';

interface RemoveDeliveredProps {
  readonly delivered: readonly Transaction[];
  readonly hasOlder: boolean;
  /** Loads all older transactions. Resolves to false when a page failed to load. */
  readonly readOlder: () => Promise<boolean>;
}

/** Loads all transactions first, so that the question names the full count; asks once, then shows the progress. */
export function RemoveDelivered({ delivered, hasOlder, readOlder }: RemoveDeliveredProps) {
  const [asking, setAsking] = useState(false);
  const [reading, setReading] = useState(false);
  const { run, removing } = useRemoveDelivered();
  const close = () => {
    if (removing === undefined) setAsking(false);
  };
  const ask = async () => {
    if (!hasOlder) return setAsking(true);
    setReading(true);
    const all = await readOlder();
    setReading(false);
    if (all) setAsking(true);
    else toast.error('Failure retrieving the data!');
  };
  const start = async () => {
    await run(delivered);
    setAsking(false);
  };
  const count = delivered.length;
  return (
    <>
      <Button
        look="danger-line"
        size="s"
        disabled={count === 0 && !hasOlder}
        busy={reading}
        onClick={() => void ask()}
      >
        <Icon of={Trash2} size="s" />
        remove delivered
      </Button>
      <Dialog
        open={asking}
        onClose={close}
        plain={removing !== undefined}
        title={`Remove ${countOf(count, 'delivered record')}?`}
        {...(removing === undefined && {
          foot: (
            <Choice no="Keep them" onNo={close} disabled={count === 0} onYes={() => void start()}>
              Remove
            </Choice>
          ),
        })}
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
const AT_ONCE = 4;

interface Removing {
  readonly done: number;
  readonly total: number;
}

/** Removes the given buyer records, then refetches the admin queries. */
function useRemoveDelivered() {
  const [removing, setRemoving] = useState<Removing>();
  const run = async (delivered: readonly Transaction[]) => {
    const total = delivered.length;
    let done = 0;
    let failed = 0;
    setRemoving({ done, total });
    await eachOf(delivered, AT_ONCE, async ({ buyer_id }) => {
      try {
        await removeBuyerRecord(buyer_id);
      } catch (error) {
        console.error(error);
        failed += 1;
      }
      done += 1;
      setRemoving({ done, total });
    });
    await readAgain(['admin']);
    setRemoving(undefined);
    if (failed === 0) toast.success(`${countOf(total, 'delivered record')} removed`);
    else toast.error(`${failed} of ${total} records were not removed. Try again.`);
  };
  return { run, removing };
}
