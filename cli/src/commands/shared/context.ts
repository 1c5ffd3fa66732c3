import type { CommandContext } from '@oja/platform';
import { v7 } from 'uuid';

/** Of something an operator does at the terminal. */
export function operatorContext(commandId: string = v7()): CommandContext {
  return { actor: 'operator', commandId, correlationId: commandId, causationId: commandId };
}
