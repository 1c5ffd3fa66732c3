import type { OperationsEvent } from '@oja/domain';
import type { Position } from '@oja/platform';
import { recordOperation } from '@oja/projector';
import { v7 } from 'uuid';
import type { AppContext } from '../../runtime/context.js';
import { operatorOf } from '../../runtime/operator.js';
import { Exit, exitCodes } from '../../terminal/exit.js';

/**
 * Records what an operator did. With the same `commandId` it is recorded once, however often a killed
 * command is run again. Answers where the stream stands then. @throws Exit 1 where others wrote to it
 * in every try.
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
    'Others wrote to the operations stream in every try; try again.',
  );
}
