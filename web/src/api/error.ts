import { asRecord } from './as-record.js';

/** A failed call, whether the server answered with an error or no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Field name → what is wrong with it. */
  readonly errors: Readonly<Record<string, string>>;
  /** For programs: 'offline', 'network', 'timeout' or 'aborted' when no answer came, else the server's code. */
  readonly code: string | undefined;
  /** The whole answer, for calls whose failures carry more fields. */
  readonly body: Readonly<Record<string, unknown>>;

  /** @param isRepeat the same write was sent before and got no answer: whatever this one says, it may have been done */
  constructor(
    failure: {
      readonly status: number;
      readonly message: string;
      readonly errors?: Readonly<Record<string, string>>;
      readonly code?: string | undefined;
      readonly body?: Readonly<Record<string, unknown>>;
    },
    readonly isRepeat = false,
  ) {
    super(failure.message);
    this.status = failure.status;
    this.errors = failure.errors ?? {};
    this.code = failure.code;
    this.body = failure.body ?? {};
  }

  /** No answer came: a retry may help, and it is unknown whether the server did the work. */
  get isUnanswered(): boolean {
    return this.status === 0 && this.code !== 'aborted';
  }
}

function pickStrings(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(asRecord(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

/**
 * Reads a 4xx or 5xx answer. A body that is not our JSON (an edge proxy's error page) still gives a message.
 * @param isRepeat see `ApiError`
 */
export async function toApiError(response: Response, isRepeat?: boolean): Promise<ApiError> {
  const body = asRecord(await response.json().catch(() => undefined));
  return new ApiError(
    {
      status: response.status,
      message: typeof body.message === 'string' ? body.message : defaultMessage(response.status),
      errors: pickStrings(body.errors),
      code: typeof body.code === 'string' ? body.code : undefined,
      body,
    },
    isRepeat,
  );
}

function defaultMessage(status: number): string {
  if (status === 404) return 'That was not found.';
  if (status === 429) return 'Too many tries. Wait a little and try again.';
  return status >= 500 ? 'The market cannot answer just now. Try again.' : 'That did not work.';
}
