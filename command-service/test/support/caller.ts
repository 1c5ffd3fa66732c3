export interface CallOptions {
  readonly body?: unknown;
  readonly token?: string;
  /** The `Idempotency-Key` header. */
  readonly key?: string;
  /** The `Cookie` header: `name=value`. */
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, null when empty. It is untyped, because each test knows its shape. */
  readonly json: ReturnType<typeof JSON.parse>;
  /** The cookie that was set, as the browser would send it back; null when it was cleared or none was set. */
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
