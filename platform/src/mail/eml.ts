import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { writeOnce } from '../data-dir/write-once.js';
import { type MessageOptions, toMessage } from './message.js';
import type { Mail } from './port.js';

const plain = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,150}$/;

/** A file name of our own ids as they are; of anything else its hash, so that no id leaves the folder. */
function fileName(id: string): string {
  const name = id.replace(':', '-');
  return plain.test(name) ? name : createHash('sha256').update(id).digest('hex');
}

/**
 * Letters as files: `<folder>/<subject>/<letter id>.eml`. A letter that is there is not written again,
 * and an erasure deletes its subject's folder.
 */
export function createMailFolder(folder: string, options: MessageOptions): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const folderOf = (subject: string) => join(folder, fileName(subject));
  return {
    async send(letter) {
      const home = folderOf(letter.subject);
      const file = join(home, `${fileName(letter.id)}.eml`);
      if (existsSync(file)) return;
      const { message } = await transport.sendMail(toMessage(letter, options));
      if (!Buffer.isBuffer(message)) throw new Error('nodemailer gave no bytes');
      mkdirSync(home, { recursive: true, mode: 0o700 });
      writeOnce(file, message, 0o600);
    },
    forget: (subject) => rm(folderOf(subject), { recursive: true, force: true }),
    close: async () => transport.close(),
  };
}
