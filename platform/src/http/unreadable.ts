import type { Duplex } from 'node:stream';
import { failureBody } from './failure.js';

const ANSWERS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};
const UNREADABLE = ['400 Bad Request', 'The request could not be understood'] as const;

/** Answers what is not even HTTP, and hangs up. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = ANSWERS[error.code ?? ''] ?? UNREADABLE;
  const body = JSON.stringify(failureBody({ status: Number.parseInt(status, 10), message }));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n` +
      `X-Content-Type-Options: nosniff\r\n\r\n${body}`,
  );
}
