import { userInfo } from 'node:os';
import { OPERATOR, operatorActor } from '@oja/domain';
import { printable } from '@oja/domain/rules/text';
import type { CommandContext } from '@oja/platform';
import { v7 } from 'uuid';

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
export function operatorOf(): string {
  const name = printable(process.env.OJA_OPERATOR?.trim() || loginName()).slice(0, LONGEST_NAME);
  return name === '' ? OPERATOR : operatorActor(name);
}

/** The command context of an operator's command; `commandId` makes a repeated command idempotent. */
export function operatorContext(commandId: string = v7()): CommandContext {
  return {
    actor: operatorOf(),
    commandId,
    correlationId: commandId,
    causationId: commandId,
  };
}
