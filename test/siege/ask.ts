import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { HOST } from './market.js';

export interface Asking {
  /** The client address that the proxy before the market reports. */
  readonly from: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Uses a connection of its own. */
  readonly alone?: boolean;
}

export interface Answered {
  /** 0 when the connection broke. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const LONGEST_MS = 60_000;
const nothing: Answered = { status: 0, headers: {}, text: '' };

/** Sends requests to the market over reused connections. */
export interface Asker {
  ask(method: string, path: string, asking: Asking): Promise<Answered>;
  close(): void;
}

export function createAsker(port: number, mostConnections: number): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: mostConnections });

  function ask(method: string, path: string, asking: Asking): Promise<Answered> {
    const { from, body, token, headers, alone = false } = asking;
    const sent =
      body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    return new Promise((resolve) => {
      const asked = request({
        ...{ host: '127.0.0.1', port, method, path, timeout: LONGEST_MS },
        agent: alone ? false : agent,
        headers: {
          Host: HOST,
          'X-Forwarded-For': from,
          ...(sent && { 'Content-Type': 'application/json', 'Content-Length': sent.length }),
          ...(token && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
      });
      asked.on('response', (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', () => undefined);
        answer.once('close', () => {
          const { statusCode: status = 0, headers: told } = answer;
          resolve({ status, headers: told, text: Buffer.concat(parts).toString() });
        });
      });
      asked.on('upgrade', (_, socket) => {
        socket.destroy();
        resolve({ ...nothing, status: 101 });
      });
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => resolve(nothing));
      asked.end(sent);
    });
  }
  return { ask, close: () => agent.destroy() };
}

/** A multipart form with one picture, as browsers send it. */
export function pictureForm(preset: string, bytes: Uint8Array) {
  const boundary = 'siege-boundary';
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('name="upload_preset"')}${preset}\r\n`),
    Buffer.from(part('name="file"; filename="bag.jpg"')),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
}
