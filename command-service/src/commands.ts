import type { Refusal, RefusalKind } from '@oja/domain';
import { type Failure, refuse } from '@oja/http';
import { type CommandContext, type CommandResult, currentCorrelation } from '@oja/platform';
import { v5 } from 'uuid';

/** The parts of a request that identify its command. */
interface CommandRequest {
  readonly commandId: string;
  readonly correlationId: string;
}

/** The actor in event metadata for someone who is not signed in. */
export const VISITOR = 'visitor';

/** The actor in event metadata for buyers, who have no accounts. */
export const BUYER = 'buyer';

/**
 * Derives an id from a command id: for a new aggregate, or for one of several commands of a
 * request. A repeated request gets the same ids.
 */
export const derivedId = (commandId: string, part: string): string => v5(part, commandId);

/** The metadata for the events that a request causes. */
export const contextFor = (
  { commandId, correlationId }: CommandRequest,
  actor: string,
): CommandContext => ({
  actor,
  commandId,
  correlationId,
  causationId: correlationId,
});

/** The UUID namespace for ids of commands that follow from facts. Random, and must never change. */
const NAMESPACE = '0b8f4c1e-5d0a-4f0e-9a86-3d1c7e52b9f4';

/**
 * A command id derived from facts, for commands that no request carries. The same facts give the
 * same id, so the command takes effect once, whoever notices them.
 */
export const factCommandId = (...facts: readonly (string | number)[]): string =>
  v5(JSON.stringify(facts), NAMESPACE);

/** The context of a command that follows from facts. Its correlation id is that of the current request or job. */
export const factContext = (commandId: string, actor: string): CommandContext =>
  contextFor({ commandId, correlationId: currentCorrelation() ?? commandId }, actor);

/** Like `factContext`, for a command to an order: its events carry the correlation id of the request that placed it. */
export const orderFactContext = (commandId: string, actor: string): CommandContext => ({
  ...factContext(commandId, actor),
  joinsStream: true,
});

const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
};

export type FailedCommand = Extract<CommandResult<unknown>, { readonly ok: false }>;
export type Answer = { readonly failed: Failure };

/** The answer to a refusal by the domain. */
export function refusalAnswer({ kind, message, code, errors }: Refusal): Answer {
  return refuse(statuses[kind], message, { code, ...(errors && { errors }) });
}

/** The answer to a failed command: the domain refused it, or every try had a write conflict. */
export function failedAnswer(handled: FailedCommand): Answer {
  return handled.conflict ? conflictAnswer() : refusalAnswer(handled.refusal);
}

export const conflictAnswer = (): Answer =>
  refuse(409, 'Somebody else changed this at the same moment; please try again', {
    code: 'changed_meanwhile',
  });

export const invalidField = (field: string, problem: string): Answer =>
  refuse(400, `${field} ${problem}`, { errors: { [field]: problem } });

/**
 * The answer to a key that was used for another thing of this kind. Stored answers tell it for a day, and not if the market
 * died before it had stored one; commands look themselves at what they have recorded.
 */
export const reusedKeyAnswer = (what: string) =>
  refuse(422, `This Idempotency-Key was already used for a different ${what}`, {
    code: 'idempotency_key_reused',
  });

/** The answer to absent or empty fields. `missingFields` lists them for the client's forms. */
export function missingFieldsAnswer(missingFields: readonly string[]): Answer {
  const errors = Object.fromEntries(missingFields.map((field) => [field, 'is required']));
  const message = missingFields.map((field) => `${field} is required`).join('; ');
  return refuse(400, message, { errors, details: { missingFields } });
}

/** The names of the fields that are absent or empty. */
export const missingFieldNames = (fields: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' ? [name] : [],
  );
