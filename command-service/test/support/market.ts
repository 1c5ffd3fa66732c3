import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommandService, type Deps, grantHeadAdmin } from '@oja/command-service';
import { createApp, createListener, createReadiness } from '@oja/http';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedKeys,
  createEmbeddedState,
  createMail,
  createMetrics,
  createPaystack,
  type Logger,
} from '@oja/platform';
import { layReadModels } from '../../../test/support/empty-models.js';
import { type Caller, createCaller } from './caller.js';
import { depsOver, quiet } from './deps.mjs';
import { faulty } from './faulty.js';

export const PUBLIC_URL = 'http://localhost:8080';
const SECRET = 'a secret of tests that is long enough';
/** Nothing listens there: no test of this folder pays. */
const NO_PROVIDER = 'http://127.0.0.1:9';

export interface Seller {
  readonly id: string;
  readonly businessName: string;
  readonly password: string;
  readonly token: string;
  /** The refresh cookie: `name=value`. */
  readonly cookie: string;
}

export type Market = Awaited<ReturnType<typeof openMarket>>;

/** command-service on a free port, with embedded engines in a temporary folder. */
export async function openMarket({
  demo = true,
  logger = quiet,
}: {
  readonly demo?: boolean;
  readonly logger?: Logger;
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'oja-commands-'));
  const at = (file: string) => join(folder, file);
  const [log, documents, state, keys] = await Promise.all([
    createEmbeddedEventStore({ file: at('log') }),
    createEmbeddedDocuments({ file: at('documents') }),
    createEmbeddedState({ file: at('state') }),
    createEmbeddedKeys({ file: at('keys'), masterKey: randomBytes(32) }),
  ]);
  const { eventStore, faults } = faulty(log);
  const clock = { time: Date.parse('2026-03-20T12:00:00.000Z'), now: () => clock.time };
  const mail = createMail({
    smtpUrl: null,
    folder: at('mail'),
    clock,
    from: 'help@oja.example',
  });
  const logId = await eventStore.logId();
  const models = await layReadModels(documents, logId);
  const deps: Deps = await depsOver({
    eventStore,
    documents,
    state,
    keys,
    payments: createPaystack({ url: NO_PROVIDER, secret: SECRET }),
    mail,
    clock,
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    settings: { demo },
    logger,
  });
  const service = createCommandService(deps);
  const app = createApp({
    logger: quiet,
    metrics: createMetrics(),
    readiness: createReadiness(),
    publicUrl: PUBLIC_URL,
    trustedProxy: ['127.0.0.1'],
  });
  service.mount(app);
  const listener = createListener(app, { port: 0, hosts: ['127.0.0.1'] });
  const listening = await listener.listen();
  if (!listening.ok) throw new Error(listening.message);
  const call: Caller = createCaller(`http://127.0.0.1:${listening.port}`);

  /** Signs up a new seller over HTTP. */
  async function register(businessName: string): Promise<Seller> {
    const password = `password of ${businessName}`;
    const body = { ...person, businessName, password };
    const { status, json, cookie } = await call('POST', '/v1/register', { body });
    if (status !== 201) throw new Error(`${businessName} was not registered: ${status}`);
    const { user_id: id } = json.data.data;
    return { id, businessName, password, token: json.accessToken, cookie: cookie ?? '' };
  }

  async function headAdmin(businessName: string): Promise<Seller> {
    const admin = await register(businessName);
    await grantHeadAdmin(deps, admin.id);
    return admin;
  }

  /** The types of a stream's events, oldest first. */
  async function typesOf(stream: string): Promise<readonly string[]> {
    const types: string[] = [];
    for await (const { type } of log.readStream(stream)) types.push(type);
    return types;
  }

  return {
    deps,
    service,
    call,
    clock,
    faults,
    models,
    register,
    headAdmin,
    typesOf,
    async close() {
      await service.close();
      await listener.close(0);
      await Promise.all([log.close(), documents.close(), state.close(), keys.close()]);
      rmSync(folder, { recursive: true });
    },
  };
}

export const person = { name: 'Ada Obi', phone_1: '08031234567' };
export const aKey = (): string => randomUUID();

/** A valid product for an upload. */
export const aBag = {
  prod_name: 'Ankara tote',
  price: 11_500,
  description: 'A bag of wax print.',
  subcategory_id: 1,
  state: 'Lagos',
  local_govt: 'Ikeja',
  color: 'blue',
};
export const pictures = ['one.webp', 'two.jpg'].map((name) => `${PUBLIC_URL}/v1/image/${name}`);
