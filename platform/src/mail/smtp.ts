import { createTransport } from 'nodemailer';
import { type MessageOptions, toMessage } from './message.js';
import type { Mail } from './port.js';

/** How long the server may keep us waiting at each step, in milliseconds. */
const TIMEOUT_MS = 30_000;

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
      await transport.sendMail(toMessage(letter, options));
    },
    forget: async () => undefined,
    close: async () => transport.close(),
  };
}
