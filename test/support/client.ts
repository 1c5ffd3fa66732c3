import { POSITION_HEADER } from '@oja/contracts/wire';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/**
 * A browser's part in the calls: it keeps cookies, its token and the position of its last write, so
 * that it sees its own writes.
 */
export class Client {
  token: string | null = null;
  private position: string | null = null;
  private readonly cookies = new Map<string, string>();

  constructor(private readonly origin: string) {}

  private headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return {
      ...(cookie && { Cookie: cookie }),
      ...(this.token && { Authorization: `Bearer ${this.token}` }),
      ...(this.position && { [POSITION_HEADER]: this.position }),
    };
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(new URL(path, this.origin), {
      ...init,
      redirect: 'manual',
      headers: { ...this.headers(), ...Object.fromEntries(new Headers(init.headers)) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name) this.cookies.set(name, value ?? '');
    }
    this.position = answer.headers.get(POSITION_HEADER) ?? this.position;
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  }

  /**
   * Makes a call and returns its body.
   * @throws Error when the status differs
   */
  async call<T>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.fetch(path, {
      method,
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as T;
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>(200, 'GET', path);
  }
}
