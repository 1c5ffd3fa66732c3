import type { OperationsEvent } from '@oja/domain';
import type { Position } from '@oja/platform';
import { recordOperation } from '@oja/projector';
import { v7 } from 'uuid';
import type { AppContext } from '../../runtime/context.js';
import { operatorOf } from '../../runtime/operator.js';
import { Exit, exitCodes } from '../../terminal/exit.js';

/**
 * Records what an operator did. The same `commandId` is recorded only once, so a killed command may run again.
 * Returns the position in the log. @throws Exit 1 when every attempt conflicted with another writer.
 */
export async function record(
  { engines, clock }: Pick<AppContext, 'engines' | 'clock'>,
  event: OperationsEvent,
  commandId: string = v7(),
): Promise<Position | null> {
  const { eventStore } = engines;
  const recorded = await recordOperation({ eventStore, clock }, event, {
    actor: operatorOf(),
    commandId,
  });
  if (recorded !== 'contended') return recorded;
  throw new Exit(
    exitCodes.failed,
    'Others wrote to the operations stream at the same time, in every attempt; run the command again.',
  );
}
