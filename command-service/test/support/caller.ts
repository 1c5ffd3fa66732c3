export interface CallOptions {
  readonly body?: unknown;
  readonly token?: string;
  /** Idempotency-Key. */
  readonly key?: string;
  /** What the browser holds: `name=value`. */
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** As the test knows it to be. */
  readonly json: ReturnType<typeof JSON.parse>;
  /** The cookie that was set, as the browser gives it back; null where it was cleared or none was set. */
  readonly cookie: string | null;
}

export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Answered>;

const cookieOf = (headers: Headers): string | null => {
  const pair = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return pair === '' || pair.endsWith('=') ? null : pair;
};

export function createCaller(origin: string): Caller {
  return async (method, path, { body, token, key, cookie, headers = {} } = {}) => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(cookie !== undefined && { Cookie: cookie }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = JSON.parse((await response.text()) || 'null');
    return {
      status: response.status,
      headers: response.headers,
      json,
      cookie: cookieOf(response.headers),
    };
  };
}
