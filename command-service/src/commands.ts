import type { Refusal, RefusalKind } from '@oja/domain';
import { type Failure, refuse } from '@oja/http';
import type { CommandContext, Handled } from '@oja/platform';
import { v5 } from 'uuid';

/** The parts of a request that identify its command. */
interface Asked {
  readonly commandId: string;
  readonly correlationId: string;
}

/** The actor in event metadata for a signed-in seller. */
/** The actor in event metadata for someone who is not signed in. */
export const VISITOR = 'visitor';

/**
 * Derives an id from a command id: for a new aggregate, or for one of several commands of a
 * request. A repeated request gets the same ids.
 */
export const derivedId = (commandId: string, part: string): string => v5(part, commandId);

/** The metadata for the events that a request causes. */
export const contextOf = ({ commandId, correlationId }: Asked, actor: string): CommandContext => ({
  actor,
  commandId,
  correlationId,
  causationId: correlationId,
});

const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
};

type NotHandled = Extract<Handled<unknown>, { readonly ok: false }>;
type Answer = { readonly failed: Failure };

/** The answer to a refusal by the domain. */
export function refusalAnswer({ kind, message, code, errors }: Refusal): Answer {
  return refuse(statuses[kind], message, { code, ...(errors && { errors }) });
}

/** The answer to a failed command: the domain refused it, or every try had a write conflict. */
export function failedAnswer(handled: NotHandled): Answer {
  return handled.conflict ? changedMeanwhile() : refusalAnswer(handled.refusal);
}

export const changedMeanwhile = (): Answer =>
  refuse(409, 'Somebody else changed this at the same moment; please try again', {
    code: 'changed_meanwhile',
  });

export const wrongField = (field: string, problem: string): Answer =>
  refuse(400, `${field} ${problem}`, { errors: { [field]: problem } });

/** The answer to absent or empty fields. `missingFields` lists them for the client's forms. */
export function missingFieldsAnswer(missingFields: readonly string[]): Answer {
  const errors = Object.fromEntries(missingFields.map((field) => [field, 'is required']));
  const message = missingFields.map((field) => `${field} is required`).join('; ');
  return refuse(400, message, { errors, details: { missingFields } });
}

/** The names of the fields that are absent or empty. */
export const missingOf = (fields: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' ? [name] : [],
  );
