import type { Json, JsonObject } from '../../eventstore/port.js';

/** What the sandbox answers to a call of the API. */
export interface Reply {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

export const success = (message: string, data: Json): Reply => ({
  status: 200,
  body: { status: true, message, data },
});

/** Paystack's shape for a call that did not work; `nextStep` is for the developer who reads it. */
export const failure = (
  status: number,
  code: string,
  message: string,
  nextStep: string,
): Reply => ({
  status,
  body: {
    status: false,
    message,
    meta: { nextStep },
    type: status < 500 && status !== 429 ? 'validation_error' : 'api_error',
    code,
  },
});

export const invalidParams = (message: string): Reply =>
  failure(400, 'invalid_params', message, 'Correct the named field and call again');

export const transferReferenceUsed = failure(
  400,
  'duplicate_transfer_reference',
  'Please provide a unique reference. Reference already exists on a transfer',
  'Create a new reference for the new transfer',
);

export const transferNotFound = failure(
  404,
  'transfer_not_found',
  'Transfer not found.',
  'Pass the reference of a transfer that was made with this key',
);

export const transactionNotFound = failure(
  404,
  'transaction_not_found',
  'Transaction reference not found.',
  'Pass a reference that was initialized with this key',
);
