import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import type { Clock } from './clock.js';
import { makeFolder, writeOnce } from './data-dir/lock.js';
import { createLazy } from './lazy.js';

export interface Letter {
  /** An engine that can prevent it never delivers the same id twice. */
  readonly id: string;
  /** The subject of the letter (`transaction:<id>`, …). Each subject has one folder, which an erasure deletes. */
  readonly subject: string;
  readonly to: string;
  readonly title: string;
  readonly text: string;
  readonly html?: string;
  readonly replyTo?: string;
}

/** The server permanently refused this letter or its recipient: a retry would get the same answer. */
export class LetterRefused extends Error {
  override readonly name = 'LetterRefused';
}

/** The server does not take this letter or its recipient for now: a later try may get another answer. */
export class LetterPutOff extends Error {
  override readonly name = 'LetterPutOff';
}

/** Contract: `platform/test/contracts/mail.ts`. */
export interface Mail {
  /**
   * Ends after `LETTER_SENT_WITHIN_MS` at the latest, and when `ending` aborts. The server may take the letter after all.
   * @throws LetterRefused or LetterPutOff when it is about this letter; any other error when no mail can be sent now.
   */
  send(letter: Letter, ending?: AbortSignal): Promise<void>;
  /** Deletes the stored letters of a subject, if the engine stores letters. */
  forget(subject: string): Promise<void>;
  close(): Promise<void>;
}

interface MessageOptions {
  /** The sender's address. */
  readonly from: string;
  readonly clock: Clock;
}

/** Passes a bare address as an object, so that the mailer cannot parse a name or a second address out of it. */
const address = (text: string) => ({ name: '', address: text });

/**
 * Builds the message. Its Message-ID is derived from the letter's id, so that the recipient's mail
 * program recognises an accidental duplicate.
 */
function toMessage(letter: Letter, { from, clock }: MessageOptions): SendMailOptions {
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

const plain = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,150}$/;

/** The file name for an id: our own ids as they are, anything else hashed, so that no id can leave the folder. */
function fileName(id: string): string {
  const name = id.replace(':', '-');
  return plain.test(name) ? name : createHash('sha256').update(id).digest('hex');
}

/** nodemailer is large and most processes send no mail, so it is loaded with the first letter. */
const mailer = () => import('nodemailer');

/**
 * Writes letters as files: `<folder>/<subject>/<letter id>.eml`. An existing letter is not written again.
 * An erasure deletes the subject's folder.
 */
function createMailFolder(folder: string, options: MessageOptions): Mail {
  const transport = createLazy(async () =>
    (await mailer()).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  );
  const folderOf = (subject: string) => join(folder, fileName(subject));
  return {
    async send(letter) {
      const home = folderOf(letter.subject);
      const file = join(home, `${fileName(letter.id)}.eml`);
      if (existsSync(file)) return;
      const { message } = await (await transport.get()).sendMail(toMessage(letter, options));
      if (!Buffer.isBuffer(message)) throw new Error('nodemailer gave no bytes');
      makeFolder(home, 0o700);
      writeOnce(file, message, 0o600);
    },
    forget: (subject) => rm(folderOf(subject), { recursive: true, force: true }),
    close: async () => (await transport.made())?.close(),
  };
}

/** How long the server may take at each step, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** How long it may take for one letter, whatever it says meanwhile: as long as it is silent at each of ten steps. */
export const LETTER_SENT_WITHIN_MS = 10 * TIMEOUT_MS;

/** RFC 5321, 4.2.1: the first digit 5 is a permanent negative completion. */
const PERMANENT_FROM = 500;
/** RFC 5321, 3.8: the server ends the session, at whichever command. */
const CLOSING = 421;
/** The commands whose answer concerns one letter or recipient. Login and sender are the same for all letters. */
const COMMANDS_OF_ONE_LETTER: readonly unknown[] = ['RCPT TO', 'DATA'];

/** The failure as the mail port has it: of this letter, or of the mail server (any other error). */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error && 'responseCode' in error && 'command' in error)) return error;
  const code = Number(error.responseCode);
  // Without a code the connection broke before the answer.
  if (!code || code === CLOSING || !COMMANDS_OF_ONE_LETTER.includes(error.command)) return error;
  const Kind = code >= PERMANENT_FROM ? LetterRefused : LetterPutOff;
  return new Kind(error.message, { cause: error });
}

/**
 * Sends letters over SMTP. When `send` resolves, the server has accepted the letter; no copy is kept
 * here. `url`: `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte.
 */
function createSmtp(url: string, options: MessageOptions): Mail {
  const transport = createLazy(async () =>
    (await mailer()).createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    }),
  );
  return {
    async send(letter, ending) {
      const tooLong = new AbortController();
      const timer = setTimeout(() => tooLong.abort(), LETTER_SENT_WITHIN_MS);
      const signal = AbortSignal.any([tooLong.signal, ...(ending === undefined ? [] : [ending])]);
      // `signal` ends the connection too. The mailer's types do not have it yet.
      const message = { ...toMessage(letter, options), signal };
      try {
        await (await transport.get()).sendMail(message);
      } catch (error) {
        const seconds = LETTER_SENT_WITHIN_MS / 1000;
        if (tooLong.signal.aborted)
          throw new Error(`the mail server took longer than ${seconds} seconds`, { cause: error });
        if (signal.aborted)
          throw new Error('the mail server did not answer in time', { cause: error });
        throw failureOf(error);
      } finally {
        clearTimeout(timer);
      }
    },
    forget: async () => undefined,
    close: async () => (await transport.made())?.close(),
  };
}

export interface MailOptions {
  /** Null writes letters to files. */
  readonly smtpUrl: string | null;
  /** The folder for letters as files. */
  readonly folder: string;
  readonly clock: Clock;
  /** The sender's address. A mail server refuses one of another domain, or its letters count as spam. */
  readonly from: string;
}

/** The mail engine that the configuration names. */
export function createMail({ smtpUrl, folder, clock, from }: MailOptions): Mail {
  const options = { from, clock };
  return smtpUrl === null ? createMailFolder(folder, options) : createSmtp(smtpUrl, options);
}
