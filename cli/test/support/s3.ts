import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request that is understood: it is answered, fails, is cut off half-way, or never answered. */
export type Fate = 'answered' | 500 | 'cut' | 'never';

/** One request, as a test may look at it: `PUT bucket/key?partNumber=1`. */
export type Told = string;

export interface S3StandIn {
  /** What a command is given to reach it. */
  readonly env: Readonly<Record<string, string>>;
  /** Objects by `bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** Uploads in parts that were neither ended nor aborted, by their id. */
  readonly uploads: Map<string, { readonly at: string }>;
  /** All that was answered. */
  readonly told: readonly Told[];
  /** Decides about each request that comes from now on. */
  fate: (told: Told) => Fate;
  /** How far its clock is ahead of this machine's, in milliseconds. */
  ahead: number;
  stop(): Promise<void>;
}

const ACCESS_KEY = 'AKIAOJA';
const SECRET_KEY = 'a secret of the stand-in';
/** So that whoever does not ask for the next page is noticed. */
const PAGE = 2;
const SKEW_MS = 15 * 60_000;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

const xml = (name: string, inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><${name}>${inner}</${name}>`;

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/** Signature version 4, as Amazon describes it. @throws Refused */
function checkSignature(request: IncomingMessage, url: URL, body: Buffer, now: number): void {
  const { authorization = '' } = request.headers;
  const [, accessKey, scope = '', signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      authorization,
    ) ?? [];
  if (accessKey !== ACCESS_KEY) throw new Refused(403, 'InvalidAccessKeyId');
  const header = (name: string) => String(request.headers[name] ?? '').trim();
  const hash = header('x-amz-content-sha256');
  if (hash !== sha256(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch');
  const time = header('x-amz-date');
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (Math.abs(at - now) > SKEW_MS) throw new Refused(403, 'RequestTimeTooSkewed');
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort();
  const canonical = [
    request.method,
    url.pathname,
    query.join('&'),
    ...signed.split(';').map((name) => `${name}:${header(name)}`),
    '',
    signed,
    hash,
  ].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${SECRET_KEY}`);
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  if (hmac(key, text).toString('hex') !== signature)
    throw new Refused(403, 'SignatureDoesNotMatch');
}

/** A server that speaks S3 as far as backups need it, and fails when it is told to. */
export async function openS3(buckets: readonly string[]): Promise<S3StandIn> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, { readonly at: string; readonly parts: Map<number, Buffer> }>();
  const told: Told[] = [];

  /** Two of what lies below a prefix, after the last one that was told. */
  function list(bucket: string, query: URLSearchParams): string {
    const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter')];
    const below = [...objects.keys()]
      .filter((at) => at.startsWith(`${bucket}/${prefix}`))
      .map((at) => at.slice(bucket.length + 1))
      .map((key) => {
        const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
        return end < 0 ? key : key.slice(0, end + 1);
      });
    const all = [...new Set(below)].sort();
    const rest = all.filter((key) => key > (query.get('continuation-token') ?? ''));
    const page = rest.slice(0, PAGE);
    const entries = page.map((key) =>
      delimiter !== null && key.endsWith(delimiter)
        ? `<CommonPrefixes><Prefix>${key}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${key}</Key><Size>${objects.get(`${bucket}/${key}`)?.length}</Size></Contents>`,
    );
    const more = rest.length > PAGE;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return xml('ListBucketResult', `<IsTruncated>${more}</IsTruncated>${next}${entries.join('')}`);
  }

  const listUploads = (prefix: string) =>
    xml(
      'ListMultipartUploadsResult',
      [...uploads]
        .filter(([, { at }]) => at.startsWith(prefix))
        .map(([id, { at }]) => {
          const key = at.slice(at.indexOf('/') + 1);
          return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`;
        })
        .join(''),
    );

  /** The parts of an upload, in order, as one object. */
  function complete(id: string): string {
    const upload = uploads.get(id);
    if (upload === undefined) throw new Refused(404, 'NoSuchUpload');
    const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    objects.set(upload.at, Buffer.concat(parts));
    uploads.delete(id);
    return xml('CompleteMultipartUploadResult', `<ETag>"${id}"</ETag>`);
  }

  function answer(method: string, url: URL, body: Buffer): Buffer | string {
    const at = decodeURIComponent(url.pathname.slice(1));
    const [bucket = '', ...rest] = at.split('/');
    if (!buckets.includes(bucket)) throw new Refused(404, 'NoSuchBucket');
    const query = url.searchParams;
    const id = query.get('uploadId');
    if (rest.join('') === '')
      return query.has('uploads')
        ? listUploads(`${bucket}/${query.get('prefix') ?? ''}`)
        : list(bucket, query);
    if (method === 'POST' && query.has('uploads')) {
      const made = randomUUID();
      uploads.set(made, { at, parts: new Map() });
      return xml('InitiateMultipartUploadResult', `<UploadId>${made}</UploadId>`);
    }
    if (method === 'POST') return complete(id ?? '');
    if (method === 'PUT' && id !== null) {
      const upload = uploads.get(id);
      if (upload === undefined) throw new Refused(404, 'NoSuchUpload');
      upload.parts.set(Number(query.get('partNumber')), body);
    } else if (method === 'PUT') objects.set(at, body);
    else if (method === 'DELETE' && id !== null) uploads.delete(id);
    else if (method === 'DELETE') objects.delete(at);
    else {
      const found = objects.get(at);
      if (found === undefined) throw new Refused(404, 'NoSuchKey');
      return found;
    }
    return '';
  }

  function cut(response: ServerResponse, whole: Buffer | string): void {
    response.writeHead(200, { 'Content-Length': whole.length });
    response.write(whole.slice(0, Math.floor(whole.length / 2)), () =>
      response.socket?.resetAndDestroy(),
    );
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const { method = '', url: path = '' } = request;
    const url = new URL(path, 'http://s3.example');
    const now = Date.now() + standIn.ahead;
    response.setHeader('Date', new Date(now).toUTCString());
    try {
      checkSignature(request, url, body, now);
      const line = `${method} ${decodeURIComponent(path.slice(1))}`;
      const fate = standIn.fate(line);
      if (fate === 'never') return;
      if (fate === 500) throw new Refused(500, 'InternalError');
      const whole = answer(method, url, body);
      told.push(line);
      if (fate === 'cut') return cut(response, whole);
      response.setHeader('ETag', `"${sha256(body)}"`);
      response.writeHead(method === 'DELETE' ? 204 : 200).end(whole);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const text = xml('Error', `<Code>${error.code}</Code><Message>${error.code}</Message>`);
      response.writeHead(error.status, { 'Content-Type': 'application/xml' }).end(text);
    }
  }

  const server = createServer((request, response) => {
    // A client that went away meanwhile has no use for an answer.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const standIn: S3StandIn = {
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
      AWS_REGION: 'lagos-1',
    },
    objects,
    uploads,
    told,
    fate: () => 'answered',
    ahead: 0,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}
