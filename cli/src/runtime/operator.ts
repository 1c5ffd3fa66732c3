import { userInfo } from 'node:os';
import { OPERATOR, type OperationsEvent, operatorActor } from '@oja/domain';
import { printable } from '@oja/domain/rules/text';
import type { CommandContext, Position } from '@oja/platform';
import { recordOperation } from '@oja/projector';
import { v7 } from 'uuid';
import { type ConfirmOptions, confirm } from '../terminal/confirm.js';
import { failedExit } from '../terminal/exit.js';
import { interruptSignal } from '../terminal/interrupt.js';
import type { AppContext } from './context.js';
import { refuseMoved } from './move-mark.js';

const LONGEST_NAME = 60;

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user of a container may have no name.
    return '';
  }
}

/** The actor for metadata of a command typed here: from `OJA_OPERATOR`, or else the login name. */
export function currentOperator(): string {
  const name = printable(process.env.OJA_OPERATOR?.trim() || loginName()).slice(0, LONGEST_NAME);
  return name === '' ? OPERATOR : operatorActor(name);
}

/** The command context of an operator's command; `commandId` makes a repeated command idempotent. */
export function operatorContext(commandId: string = v7()): CommandContext {
  return {
    actor: currentOperator(),
    commandId,
    correlationId: commandId,
    causationId: commandId,
  };
}

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

/**
 * Records what an operator did. The same `commandId` is recorded only once, so a killed command may run again.
 * @returns the position in the log
 * @throws Exit 1 when every attempt conflicted with another writer
 */
export async function recordByOperator(
  { engines, clock }: Pick<AppContext, 'engines' | 'clock'>,
  event: OperationsEvent,
  commandId: string = v7(),
): Promise<Position | null> {
  const { eventStore } = engines;
  const recorded = await recordOperation({ eventStore, clock }, event, {
    actor: currentOperator(),
    commandId,
  });
  if (recorded !== 'contended') return recorded;
  throw failedExit(
    'Others wrote to the operations stream at the same time, in every attempt; run the command again.',
  );
}
