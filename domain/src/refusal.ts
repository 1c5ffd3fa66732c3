/** What sort of no it is; the status of the answer follows from it. */
export type RefusalKind = 'invalid' | 'forbidden' | 'not-found' | 'conflict';

/** A command that may not happen, in words that tell a person what to do. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** For a program. */
  readonly code: string;
  readonly message: string;
  /** Field → what is wrong with it, by its name on the wire. */
  readonly errors?: Readonly<Record<string, string>>;
}

const refusalOf =
  (kind: RefusalKind) =>
  (code: string, message: string, errors?: Readonly<Record<string, string>>): Refusal =>
    errors ? { kind, code, message, errors } : { kind, code, message };

export const invalid = refusalOf('invalid');
export const forbidden = refusalOf('forbidden');
export const notFound = refusalOf('not-found');
export const conflict = refusalOf('conflict');

/** One wrong field. */
export const invalidField = (field: string, message: string): Refusal =>
  invalid('invalid_field', `${field}: ${message}`, { [field]: message });
