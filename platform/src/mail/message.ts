import type { SendMailOptions } from 'nodemailer';
import type { Clock } from '../clock/clock.js';
import type { Letter } from './port.js';

export interface MessageOptions {
  /** The address letters come from. */
  readonly from: string;
  readonly clock: Clock;
}

/** An address alone: a name or a second address in it would be read as such by the mailer. */
const address = (text: string) => ({ name: '', address: text });

/**
 * The message of a letter. Its Message-ID comes from the letter's id, so that a letter sent twice by
 * mischance is told by the receiver's mailer to be one.
 */
export function toMessage(letter: Letter, { from, clock }: MessageOptions): SendMailOptions {
  const host = from.split('@').at(-1) ?? 'localhost';
  return {
    messageId: `<${encodeURIComponent(letter.id)}@${host}>`,
    date: new Date(clock.now()),
    from: { name: 'Oja', address: from },
    to: address(letter.to),
    subject: letter.title,
    text: letter.text,
    ...(letter.html === undefined ? {} : { html: letter.html }),
    ...(letter.replyTo === undefined ? {} : { replyTo: address(letter.replyTo) }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
