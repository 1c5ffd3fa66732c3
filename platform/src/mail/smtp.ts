import { createTransport } from 'nodemailer';
import { type MessageOptions, toMessage } from './message.js';
import { LetterRefused, type Mail } from './port.js';

/** How long the server may keep us waiting at each step, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** RFC 5321, 4.2.1: the first digit 5 is a permanent negative completion. */
const PERMANENT_FROM = 500;
/** What is said of a letter or its receiver. Logging in and the sender are the same for all letters. */
const OF_ONE_LETTER: readonly unknown[] = ['RCPT TO', 'DATA'];

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  'responseCode' in error &&
  'command' in error &&
  Number(error.responseCode) >= PERMANENT_FROM &&
  OF_ONE_LETTER.includes(error.command);

/**
 * Letters over SMTP. The server has taken a letter when `send` resolves; nothing of it is kept here.
 * `url`: `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte.
 */
export function createSmtp(url: string, options: MessageOptions): Mail {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    async send(letter) {
      try {
        await transport.sendMail(toMessage(letter, options));
      } catch (error) {
        throw isRefusal(error) ? new LetterRefused(error.message, { cause: error }) : error;
      }
    },
    forget: async () => undefined,
    close: async () => transport.close(),
  };
}
