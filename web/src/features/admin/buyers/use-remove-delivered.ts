import { useState } from 'react';
import { removeBuyerRecord } from '../../../api/admin.js';
import { queryClient } from '../../../api/query-client.js';
import type { Transaction } from '../../../api/types.js';
import { toast } from '../../../ui/toast.js';

/** Records removed at the same time. */
const AT_ONCE = 4;

/** Works through all of them, so many at a time; one that fails does not stop the others. */
export async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export interface Removing {
  readonly done: number;
  readonly total: number;
}

/** Removes every DELIVERED buyer record, then reads the table again. */
export function useRemoveDelivered() {
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
    await queryClient.invalidateQueries({ queryKey: ['admin'] });
    setRemoving(undefined);
    const records = total === 1 ? 'delivered record' : 'delivered records';
    if (failed === 0) toast.success(`${total.toLocaleString('en-NG')} ${records} removed`);
    else toast.error(`${failed} of ${total} records were not removed. Try again.`);
  };
  return { run, removing };
}
