import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import type { Clock } from './clock.js';
import { makeFolder, writeOnce } from './data-dir/lock.js';

export interface Letter {
  /** The same id is never delivered twice by one engine that can help it. */
  readonly id: string;
  /** Whose letter it is (`transaction:<id>`, …): one folder a subject, deleted by an erasure. */
  readonly subject: string;
  readonly to: string;
  readonly title: string;
  readonly text: string;
  readonly html?: string;
  readonly replyTo?: string;
}

/** This letter, or whom it goes to, is refused for good: asked again soon, the answer is the same. */
export class LetterRefused extends Error {
  override readonly name = 'LetterRefused';
}

/** Contract: `platform/test/contracts/mail.ts`. */
export interface Mail {
  /** @throws LetterRefused for this one alone; anything else where mail does not go out at all now. */
  send(letter: Letter): Promise<void>;
  /** Deletes what is kept of a subject's letters, where letters are kept at all. */
  forget(subject: string): Promise<void>;
  close(): Promise<void>;
}

interface MessageOptions {
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

/** A file name of our own ids as they are; of anything else its hash, so that no id leaves the folder. */
function fileName(id: string): string {
  const name = id.replace(':', '-');
  return plain.test(name) ? name : createHash('sha256').update(id).digest('hex');
}

/** Made at the first use; `end` ends it, where there was one. */
function atFirstUse<T>(make: () => Promise<T>) {
  let made: Promise<T> | null = null;
  return {
    get: () => (made ??= make()),
    end: async (close: (it: T) => void) => {
      if (made !== null) close(await made);
    },
  };
}

/** What writes messages is large, and most processes write to nobody: it is read at the first letter. */
const mailer = () => import('nodemailer');

/**
 * Letters as files: `<folder>/<subject>/<letter id>.eml`. A letter that is there is not written again,
 * and an erasure deletes its subject's folder.
 */
function createMailFolder(folder: string, options: MessageOptions): Mail {
  const transport = atFirstUse(async () =>
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
    close: () => transport.end((made) => made.close()),
  };
}

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
function createSmtp(url: string, options: MessageOptions): Mail {
  const transport = atFirstUse(async () =>
    (await mailer()).createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    }),
  );
  return {
    async send(letter) {
      try {
        await (await transport.get()).sendMail(toMessage(letter, options));
      } catch (error) {
        throw isRefusal(error) ? new LetterRefused(error.message, { cause: error }) : error;
      }
    },
    forget: async () => undefined,
    close: () => transport.end((made) => made.close()),
  };
}

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
