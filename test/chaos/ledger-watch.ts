import { LEDGER_ID, type LedgerDocument, ledger } from '@oja/contracts/models';
import { pause } from '@oja/platform';
import { isBalanced } from '@oja/projector';
import type { Engines } from './engines.js';

/** Pause between two checks, in milliseconds. */
const POLL_MS = 1_000;

export interface LedgerWatch {
  /** Stops watching; returns how often it checked, and which accounts were unbalanced. */
  end(): Promise<{ readonly looks: number; readonly unbalanced: readonly string[] }>;
}

/** Checks the ledger while processes are killed: it must be balanced at every position it shows. */
export function watchLedger({ documents, readModels }: Engines): LedgerWatch {
  const ended = new AbortController();
  const unbalanced = new Set<string>();
  let looks = 0;

  async function look(): Promise<void> {
    const accounts = await readModels.liveCollection(ledger, 'accounts');
    const all = await documents.get<LedgerDocument>(accounts, LEDGER_ID);
    const wrong = await documents.find<LedgerDocument>(accounts, {
      filter: [{ field: 'balanced', op: 'eq', value: false }],
    });
    looks += 1;
    if (all !== null && !isBalanced(all)) unbalanced.add(`${LEDGER_ID} during the run`);
    for (const { id } of wrong.items) unbalanced.add(`${id} during the run`);
  }

  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        await look();
      } catch (error) {
        // Report it at the end, so that it hides no other failure.
        unbalanced.add(`the ledger could not be read: ${error}`);
        return;
      }
      await pause(POLL_MS, ended.signal);
    }
  }

  const watching = watch();
  return {
    async end() {
      ended.abort();
      await watching;
      return { looks, unbalanced: [...unbalanced] };
    },
  };
}
