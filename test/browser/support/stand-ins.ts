import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { createSandbox } from '@oja/demo/paystack-sandbox';
import { createMemoryState, createMemoryStateData } from '@oja/platform';
import Koa from 'koa';

/** One request to a stand-in, with the headers that could reveal too much. */
export interface ReceivedRequest {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly cookie: string | undefined;
}

export interface StandIn {
  readonly port: number;
  readonly asked: readonly ReceivedRequest[];
  close(): Promise<void>;
}

export interface Certificate {
  readonly keyFile: string;
  readonly certificateFile: string;
  /** Base64 of the SHA-256 of the public key, as browsers write it. */
  readonly fingerprint: string;
}

/** Makes a self-signed certificate for these names with openssl, in this folder. */
export function makeCertificate(folder: string, names: readonly string[]): Certificate {
  const keyFile = join(folder, 'key.pem');
  const certificateFile = join(folder, 'certificate.pem');
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=market'],
      ...['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`],
      ...['-keyout', keyFile, '-out', certificateFile],
    ],
    { stdio: 'pipe' },
  );
  const { publicKey } = new X509Certificate(readFileSync(certificateFile));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    keyFile,
    certificateFile,
    fingerprint: createHash('sha256').update(spki).digest('base64'),
  };
}

async function listenOnFreePort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  return address.port;
}

/** Serves the app over TLS on a free port and records every request. */
async function serve(
  { keyFile, certificateFile }: Certificate,
  answer: Koa,
  end: () => Promise<void> = async () => {},
): Promise<StandIn> {
  const asked: ReceivedRequest[] = [];
  const server = createTlsServer({
    key: readFileSync(keyFile),
    cert: readFileSync(certificateFile),
  });
  server.on('request', ({ method = '', url = '', headers }) => {
    const { host = '', origin, referer, cookie } = headers;
    asked.push({ host, method, path: url, origin, referer, cookie });
  });
  server.on('request', answer.callback());
  return {
    port: await listenOnFreePort(server),
    asked,
    async close() {
      await end();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface Provider extends StandIn {
  /** Where services reach the provider's API. */
  readonly apiUrl: string;
}

/** Sends a webhook to the market through its edge, under the given host name. */
function sendTo(edgePort: number, host: string, body: Buffer, signature: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request({
      ...{ host: '127.0.0.1', port: edgePort, method: 'POST', path: '/v1/paystack/webhook' },
      headers: {
        Host: host,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        'X-Paystack-Signature': signature,
      },
    });
    sent.on('error', () => resolve(false));
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    sent.end(body);
  });
}

/**
 * A stand-in for Paystack: its API at one address, its payment page at another origin. Webhooks go
 * to `host` through `edgePort`.
 */
export async function openProvider(
  certificate: Certificate,
  options: {
    readonly secret: string;
    readonly checkoutUrl: string;
    readonly host: string;
    readonly edgePort: () => number;
  },
): Promise<Provider> {
  const { secret, checkoutUrl, host, edgePort } = options;
  const sandbox = createSandbox({
    state: createMemoryState(createMemoryStateData()),
    secret,
    publicUrl: checkoutUrl,
    clock: { now: Date.now },
    send: ({ body, signature }) => sendTo(edgePort(), host, body, signature),
    report: (error) => {
      throw error;
    },
  });
  const app = new Koa().use(sandbox.middleware);
  const api = createHttpServer(app.callback());
  const apiUrl = `http://127.0.0.1:${await listenOnFreePort(api)}/sandbox`;
  sandbox.start();
  const pages = await serve(certificate, app, async () => {
    await sandbox.stop();
    api.closeAllConnections();
    api.close();
  });
  return { ...pages, apiUrl };
}

/** A stand-in for Cloudinary: pictures are uploaded to one host and shown by another. */
export function openCloudinary(
  certificate: Certificate,
  { cloud, preset }: { readonly cloud: string; readonly preset: string },
): Promise<StandIn> {
  const kept = new Map<string, Buffer>();
  const app = new Koa();
  app.use(async (ctx) => {
    // The upload API is open to pages of any origin and asks for no credentials.
    ctx.set('Access-Control-Allow-Origin', '*');
    if (ctx.host === 'api.cloudinary.com' && ctx.path === `/v1_1/${cloud}/image/upload`) {
      ctx.set('Access-Control-Allow-Methods', 'POST, OPTIONS');
      ctx.set('Access-Control-Allow-Headers', 'Content-Type, X-Requested-With');
      ctx.status = 200;
      if (ctx.method !== 'POST') return;
      const headers = { 'Content-Type': ctx.get('Content-Type') };
      const body = Buffer.concat(await ctx.req.toArray());
      const form = await new Response(body, { headers }).formData();
      const file = form.get('file');
      if (form.get('upload_preset') !== preset || !(file instanceof Blob)) {
        ctx.status = 400;
        ctx.body = { error: { message: 'Upload preset not found' } };
        return;
      }
      const name = `v1/picture${kept.size}.jpg`;
      kept.set(name, Buffer.from(await file.arrayBuffer()));
      ctx.body = { secure_url: `https://res.cloudinary.com/${cloud}/image/upload/${name}` };
      return;
    }
    const [, name = ''] = /\/image\/upload\/(?:[^/]+,[^/]+\/)?(v1\/\w+\.jpg)$/.exec(ctx.path) ?? [];
    const picture = ctx.host === 'res.cloudinary.com' ? kept.get(name) : undefined;
    if (picture === undefined) return;
    ctx.type = 'jpg';
    ctx.body = picture;
  });
  return serve(certificate, app);
}
