import type { Clock } from '../clock/clock.js';
import { createMailFolder } from './eml.js';
import type { Mail } from './port.js';
import { createSmtp } from './smtp.js';

/** Nobody reads what is sent to it. */
const NO_REPLY = 'no-reply@oja.example';

export interface MailOptions {
  /** Null: letters become files. */
  readonly smtpUrl: string | null;
  /** Where the files go. */
  readonly folder: string;
  readonly clock: Clock;
  /** The address letters come from; a real mail server wants one of its own. */
  readonly from?: string;
}

/** The mail engine that the configuration names. */
export function createMail({ smtpUrl, folder, clock, from = NO_REPLY }: MailOptions): Mail {
  const options = { from, clock };
  return smtpUrl === null ? createMailFolder(folder, options) : createSmtp(smtpUrl, options);
}
