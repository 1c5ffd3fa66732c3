import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { configExit } from '../../terminal/exit.js';
import { toSecond } from '../../terminal/times.js';

/*
 * Backups that leave the machine are files of age (https://age-encryption.org/v1): whoever has the key opens them
 * with `age --decrypt --identity <key>`, without Oja. Each is sealed in pieces that are counted and of which the last
 * says that it is: one that was cut, or whose pieces were exchanged, does not open.
 */

const webOf = (stream: Readable) => Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
const nodeOf = (stream: globalThis.ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as ReadableStream);

/** A file for whoever has the key of one of the recipients, as it goes by; with the bytes it will have. */
export async function encrypted(
  content: Readable,
  bytes: number,
  recipients: readonly string[],
): Promise<{ readonly content: Readable; readonly bytes: number }> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const stream = await encrypter.encrypt(webOf(content));
  return { content: nodeOf(stream), bytes: stream.size(bytes) };
}

/** @throws Exit 78 for another key; the stream fails where the file was cut or changed. */
export async function decrypted(content: Readable, key: string): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  try {
    return nodeOf(await decrypter.decrypt(webOf(content)));
  } catch (error) {
    if (!(error instanceof Error) || !/no identity matched/.test(error.message)) throw error;
    throw configExit(
      'This backup was encrypted for another key than BACKUP_KEY: set it to the one of its time; nothing was changed.',
    );
  }
}

/** The public half of a key: who has it can encrypt, and open nothing. */
export const recipientOf = (key: string): Promise<string> => identityToRecipient(key);

/** A new key, in the text of a file as age-keygen makes it. */
export async function newKey(
  now: number,
): Promise<{ readonly text: string; readonly recipient: string }> {
  const key = await generateX25519Identity();
  const recipient = await recipientOf(key);
  const created = toSecond(new Date(now).toISOString());
  return { text: `# created: ${created}\n# public key: ${recipient}\n${key}\n`, recipient };
}
