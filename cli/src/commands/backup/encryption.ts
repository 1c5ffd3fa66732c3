import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { configExit } from '../../terminal/exit.js';
import { withoutMilliseconds } from '../../terminal/times.js';

/*
 * Backups that leave the machine are age files (https://age-encryption.org/v1): whoever has the key can open them
 * without Oja, with `age --decrypt --identity <key>`. A file is sealed in numbered chunks, the last of which is
 * marked: a file that was truncated, or whose chunks were reordered, does not open.
 */

const toWebStream = (stream: Readable) =>
  Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
const toNodeStream = (stream: globalThis.ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as ReadableStream);

/** Encrypts a stream of `bytes` bytes for any of the recipients' keys; the `bytes` returned are the encrypted size. */
export async function encryptStream(
  content: Readable,
  bytes: number,
  recipients: readonly string[],
): Promise<{ readonly content: Readable; readonly bytes: number }> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const stream = await encrypter.encrypt(toWebStream(content));
  return { content: toNodeStream(stream), bytes: stream.size(bytes) };
}

/** Decrypts a stream, which fails when the file was truncated or changed. @throws Exit 78 when the key is another. */
export async function decryptStream(content: Readable, key: string): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  try {
    return toNodeStream(await decrypter.decrypt(toWebStream(content)));
  } catch (error) {
    if (!(error instanceof Error) || !/no identity matched/.test(error.message)) throw error;
    throw configExit(
      'This backup was encrypted for another key than BACKUP_KEY: set BACKUP_KEY to the key that was in use then; nothing was changed.',
    );
  }
}

/** The public half of a key: it can encrypt, and opens nothing. */
export const recipientOf = (key: string): Promise<string> => identityToRecipient(key);

/** A new key, as the text of a key file in the format of age-keygen. `now` is in ms. */
export async function newKey(
  now: number,
): Promise<{ readonly text: string; readonly recipient: string }> {
  const key = await generateX25519Identity();
  const recipient = await recipientOf(key);
  const created = withoutMilliseconds(new Date(now).toISOString());
  return { text: `# created: ${created}\n# public key: ${recipient}\n${key}\n`, recipient };
}
