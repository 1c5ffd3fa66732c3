import { Readable } from 'node:stream';
import { text as textOfStream } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { configExit, Exit, failedExit, usageExit } from '../../terminal/exit.js';
import { Interrupted } from '../../terminal/interrupt.js';
import { isBackupFile, MANIFEST } from './manifest.js';
import type { Storage } from './storage.js';

/** How often a request is sent, with growing pauses, before it fails. */
const ATTEMPTS = 5;
/** After so many milliseconds without a connection, or without a byte, a connection counts as cut. */
const CONNECT_MS = 10_000;
const SILENT_MS = 60_000;

const MIB = 1024 * 1024;
const LEAST_PART = 8 * MIB;
/** S3 allows 10,000 parts; the margin is for content that is longer than announced. */
const MOST_PARTS = 9_000;
/** Parts of one file that are in memory and uploading at the same time. */
const PARTS_AT_ONCE = 3;

/** Error codes, of S3 and compatible services, that only a change of the settings can repair. */
const DENIED: readonly string[] = [
  'AccessDenied',
  'ExpiredToken',
  'Forbidden',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
  'CredentialsProviderError',
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
];

interface Bucket {
  readonly bucket: string;
  readonly prefix: string;
}

/** @throws Exit 2 for an address without a bucket or a prefix in it. */
function bucketOf(address: string): Bucket {
  const [, bucket, prefix] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.+)$/.exec(address) ?? [];
  if (bucket === undefined || prefix === undefined)
    throw usageExit(
      `${address} is not a place for backups: name a bucket and a prefix in it, s3://bucket/prefix.`,
    );
  return { bucket, prefix };
}

const readVariable = (name: string): string | undefined => process.env[name]?.trim() || undefined;

/** Silences the client's warning that later versions will not run on Node 20; our version is pinned, and does. */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

/** Reads the variables that every S3 tool reads; AWS_ENDPOINT_URL names a service other than AWS. @throws Exit 78 */
function clientFor(address: string): S3Client {
  const endpoint = readVariable('AWS_ENDPOINT_URL_S3') ?? readVariable('AWS_ENDPOINT_URL');
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint))
    throw configExit('AWS_ENDPOINT_URL must be an address that begins with https://.');
  // Services other than AWS have one region and accept any name for it.
  const region =
    readVariable('AWS_REGION') ??
    readVariable('AWS_DEFAULT_REGION') ??
    (endpoint === undefined ? null : 'us-east-1');
  if (region === null)
    throw configExit(
      `Set AWS_REGION to the region of the bucket of ${address}, or AWS_ENDPOINT_URL to the address of its provider.`,
    );
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    // Services other than AWS may lack the newer checksums; decryption detects changed content anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
  });
}

/** The code that names the failure: the system's, or else the name of the innermost error. */
function errorWord(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? errorWord(error.cause) : error.name;
}

/** An Exit with one sentence that says what to do; an Exit, an Interrupted or a non-Error passes unchanged. */
function toExit(error: unknown, address: string, bucket: string): unknown {
  if (!(error instanceof Error) || error instanceof Exit || error instanceof Interrupted)
    return error;
  if (error.cause instanceof Interrupted) return error.cause;
  const word = error instanceof S3ServiceException ? error.name : errorWord(error);
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (word === 'NoSuchBucket')
    return configExit(`There is no bucket ${bucket} for ${address}: create it, or name another.`);
  if (DENIED.includes(word) || DENIED.includes(error.name) || status === 401 || status === 403)
    return configExit(
      `These credentials give no access to ${address} (${word}): check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and their permissions in the bucket.`,
    );
  if (word === 'RequestTimeTooSkewed')
    return failedExit(
      `The clock of this machine differs from that of ${address}: correct it, and run the same command again.`,
    );
  const answer = status === undefined ? word : `${word}, ${status}`;
  return failedExit(
    `${address} cannot be reached (${answer}): check the network and AWS_ENDPOINT_URL, and run the same command again.`,
  );
}

/** The size of a part in bytes, large enough that a file of `bytes` stays within MOST_PARTS. */
const partBytes = (bytes: number): number =>
  Math.max(LEAST_PART, Math.ceil(bytes / MOST_PARTS / MIB) * MIB);

/** Backups below a prefix of a bucket. @throws Exit 2 for an invalid address; 78 when settings are missing. */
export function s3Storage(address: string): Storage {
  const { bucket, prefix } = bucketOf(address);
  const client = clientFor(address);
  const keyOf = (name: string, path = '') => `${prefix}/${name}/${path}`;

  async function withSentences<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toExit(error, address, bucket);
    }
  }

  /** The sizes in bytes of the objects below a name, by their paths relative to it. */
  async function filesBelow(name: string): Promise<ReadonlyMap<string, number>> {
    const below = keyOf(name);
    const files = new Map<string, number>();
    const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: below });
    for await (const { Contents = [] } of pages)
      for (const { Key = '', Size = 0 } of Contents) files.set(Key.slice(below.length), Size);
    return files;
  }

  /** Aborts the uploads that a kill left unfinished: no listing shows their parts, but they cost money. */
  async function abortUploads(name: string): Promise<void> {
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: keyOf(name) }),
    );
    for (const { Key, UploadId } of Uploads)
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
  }

  const remove = (name: string, path: string) =>
    client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(name, path) }));

  async function get(name: string, path: string): Promise<Readable | null> {
    try {
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: keyOf(name, path) }),
      );
      return Body instanceof Readable ? Body : null;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  return {
    address,
    names: () =>
      withSentences(async () => {
        const below = `${prefix}/`;
        const names: string[] = [];
        const asked = { Bucket: bucket, Prefix: below, Delimiter: '/' };
        for await (const { CommonPrefixes = [] } of paginateListObjectsV2({ client }, asked))
          names.push(...CommonPrefixes.map(({ Prefix = '' }) => Prefix.slice(below.length, -1)));
        return names;
      }),
    files: (name) => withSentences(() => filesBelow(name)),
    text: (name, path) =>
      withSentences(async () => {
        const body = await get(name, path);
        return body === null ? null : await textOfStream(body);
      }),
    read: (name, path) => withSentences(() => get(name, path)),
    write: (name, path, content, bytes, signal) =>
      withSentences(async () => {
        const upload = new Upload({
          client,
          params: { Bucket: bucket, Key: keyOf(name, path), Body: content },
          partSize: partBytes(bytes),
          queueSize: PARTS_AT_ONCE,
        });
        const stop = () => void upload.abort();
        signal.addEventListener('abort', stop);
        try {
          signal.throwIfAborted();
          await upload.done();
        } catch (error) {
          signal.throwIfAborted();
          throw error;
        } finally {
          signal.removeEventListener('abort', stop);
        }
      }),
    remove: (name) =>
      withSentences(async () => {
        await abortUploads(name);
        for (const path of [...(await filesBelow(name)).keys()].filter(isBackupFile))
          await remove(name, path);
        await remove(name, MANIFEST);
      }),
  };
}
