import type { AppContext } from '../../runtime/context.js';
import { refuseMoved } from '../../runtime/moving.js';
import { type ConfirmOptions, confirm } from '../../terminal/confirm.js';
import { interruptSignal } from '../../terminal/interrupt.js';

/**
 * Asks before a command changes something in an open market. The question may wait long, and the market may be closed
 * meanwhile: a change at its old place would be missing at the new one.
 * @throws as `confirm`; Exit 78 when the market was moved out meanwhile.
 */
export async function confirmChange(
  context: AppContext,
  question: string,
  options: ConfirmOptions,
): Promise<void> {
  await confirm(question, options);
  interruptSignal().throwIfAborted();
  await refuseMoved(context);
}
