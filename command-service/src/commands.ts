import type { Refusal, RefusalKind } from '@oja/domain';
import { type Failed, refuse } from '@oja/http';
import type { CommandContext, Handled } from '@oja/platform';
import { v5 } from 'uuid';

/** The part of a request that a command is made from. */
interface Asked {
  readonly commandId: string;
  readonly correlationId: string;
}

/** Who asks, in metadata. */
export { sellerActor } from '@oja/domain';
/** Somebody who is not signed in. */
export const VISITOR = 'visitor';

/**
 * An id that follows from the command: of a new aggregate, or of one of several commands that a
 * request makes. A repeated request ends at the same ones.
 */
export const derivedId = (commandId: string, part: string): string => v5(part, commandId);

/** What goes into the metadata of the events that a request causes. */
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
type Answer = { readonly failed: Failed };

/** What the domain said no to, as an answer. */
export function refusalAnswer({ kind, message, code, errors }: Refusal): Answer {
  return refuse(statuses[kind], message, { code, ...(errors && { errors }) });
}

/** A command that did not happen: the domain said no, or others wrote there in every try. */
export function failedAnswer(handled: NotHandled): Answer {
  return handled.conflict ? changedMeanwhile() : refusalAnswer(handled.refusal);
}

export const changedMeanwhile = (): Answer =>
  refuse(409, 'Somebody else changed this at the same moment; please try again', {
    code: 'changed_meanwhile',
  });

/** What is not there, and what is somebody else's, are answered alike. */
export const notYours = (): Answer => refuse(404, 'There is nothing here for you');

export const wrongField = (field: string, problem: string): Answer =>
  refuse(400, `${field} ${problem}`, { errors: { [field]: problem } });

/** Fields that were left out or left empty, named as the user's forms read them. */
export function missingFieldsAnswer(missingFields: readonly string[]): Answer {
  const errors = Object.fromEntries(missingFields.map((field) => [field, 'is required']));
  const message = missingFields.map((field) => `${field} is required`).join('; ');
  return refuse(400, message, { errors, details: { missingFields } });
}

/** The names of the fields that say nothing. */
export const missingOf = (fields: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' ? [name] : [],
  );
