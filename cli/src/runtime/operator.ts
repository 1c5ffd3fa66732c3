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
    // A container's user need not have a name.
    return '';
  }
}

/** Who types at this terminal, in metadata: `OJA_OPERATOR`, else the name of the login. */
export function operatorOf(): string {
  const name = printable(process.env.OJA_OPERATOR?.trim() || loginName()).slice(0, LONGEST_NAME);
  return name === '' ? OPERATOR : operatorActor(name);
}

/** Of something an operator does at the terminal. */
export function operatorContext(commandId: string = v7()): CommandContext {
  return {
    actor: operatorOf(),
    commandId,
    correlationId: commandId,
    causationId: commandId,
  };
}
