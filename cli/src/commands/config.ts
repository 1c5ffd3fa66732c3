import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Config,
  completeConfig,
  joinProblems,
  type Plan,
  SECRETS_FILE,
  takesTestPayments,
  type Variables,
} from '@oja/platform';
import { requireMarket } from '../runtime/context.js';
import { planOrExit } from '../runtime/open-data.js';
import { configExit } from '../terminal/exit.js';
import { formatNamedValues, type Output, printAnswer } from '../terminal/output.js';

/** All that Oja reads, but for what OpenTelemetry has besides its address. */
type Shown = Exclude<
  keyof Variables,
  | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_PROTOCOL'
  | 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  | 'OTEL_TRACES_EXPORTER'
  | 'OTEL_SDK_DISABLED'
>;

/** An address without its credentials: everything before the last `@`, since a password may hold any character. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/.*@/s, '//…@');
}

const HIDDEN = '(set, hidden)';
const MADE_LATER = '(made at the first start)';
const TEST_KEY = '(set, hidden: a test key, which takes no real money)';
const url = (address: string | null, otherwise: string) =>
  address === null ? otherwise : withoutCredentials(address);
const setOrUnset = (secret: unknown) => (secret === null ? '(not set)' : HIDDEN);
const orUnset = (text: string) => (text === '' ? '(not set)' : text);

type GeneratedSecret =
  | 'TOKEN_SECRET'
  | 'KEYS_MASTER_KEY'
  | 'PAYSTACK_SECRET'
  | 'VAPID_PUBLIC'
  | 'VAPID_PRIVATE';

/** What is in use, in the order in which it is shown. */
function settingsOf(config: Config, plan: Plan): Readonly<Record<Shown, string>> {
  const { variables } = plan;
  const { paystack, cloudinary, support, dropOffAddress, push } = config;
  const isMadeLater = makesSecrets(plan);
  const made = (name: GeneratedSecret, shown: string): string =>
    isMadeLater && variables[name] === undefined ? MADE_LATER : shown;
  return {
    DATA_DIR: config.dataDir,
    PORT: String(config.port),
    HOST: config.hosts.length === 0 ? '(everywhere)' : config.hosts.join(', '),
    PUBLIC_URL: config.publicUrl,
    OJA_DEMO: config.demo ? 'on' : 'off',
    EVENTSTORE_URL: url(config.eventStoreUrl, '(embedded)'),
    MONGODB_URL: url(config.mongodbUrl, '(embedded)'),
    REDIS_URL: url(config.redisUrl, '(embedded)'),
    PAYSTACK_URL: url(paystack.url, '(the sandbox that Oja ships)'),
    PAYSTACK_SECRET: made('PAYSTACK_SECRET', takesTestPayments(config) ? TEST_KEY : HIDDEN),
    CLOUDINARY_URL: url(cloudinary?.url ?? null, '(the image host that Oja ships)'),
    CLOUDINARY_PRESET: orUnset(cloudinary?.preset ?? ''),
    SMTP_URL: url(config.smtpUrl, '(e-mails are written to files)'),
    TOKEN_SECRET: made('TOKEN_SECRET', HIDDEN),
    TOKEN_SECRET_FALLBACK: setOrUnset(config.tokenSecretFallback),
    KEYS_MASTER_KEY: made('KEYS_MASTER_KEY', HIDDEN),
    KEYS_MASTER_KEY_FALLBACK: setOrUnset(config.keysMasterKeyFallback),
    PAYOUTS: config.payouts ? 'on' : 'off',
    SUPPORT_EMAIL: orUnset(support.email),
    SUPPORT_PHONE: orUnset(support.phone),
    SUPPORT_ADDRESS: orUnset(support.address),
    DROP_OFF_ADDRESS: dropOffAddress || '(none: sold goods are collected from the sellers)',
    VAPID_PUBLIC: made('VAPID_PUBLIC', orUnset(push?.publicKey ?? '')),
    VAPID_PRIVATE: made('VAPID_PRIVATE', setOrUnset(push)),
    TRUSTED_PROXY: orUnset(config.trustedProxy.join(', ')),
    BACKUP_RECIPIENT: orUnset(variables.BACKUP_RECIPIENT?.join(', ') ?? ''),
    BACKUP_KEY: setOrUnset(variables.BACKUP_KEY ?? null),
    OTEL_EXPORTER_OTLP_ENDPOINT: url(config.tracing?.endpoint ?? null, '(no traces)'),
    LOG_LEVEL: config.logLevel,
  };
}

/** Whether a demo has yet to make the secrets that its settings do not name. */
const makesSecrets = ({ demo, dataDir }: Plan): boolean =>
  demo && !existsSync(join(dataDir, SECRETS_FILE));

/**
 * The settings of a market, which need not exist yet, nor its engines answer: a deployment is checked before its first
 * start. Only a demo in a folder must be there, since a mistyped folder would look like one. @throws Exit 78
 */
function completeOrExit(plan: Plan): Config {
  if (makesSecrets(plan)) requireMarket(plan);
  const found = completeConfig(plan, resolve(plan.dataDir), { createsNothing: true });
  if (!found.ok) throw configExit(joinProblems(found.problems));
  return found.value;
}

export async function config(options: Output): Promise<void> {
  const plan = planOrExit(process.env, true);
  const settings = settingsOf(completeOrExit(plan), plan);
  printAnswer<'config'>(options, settings, () => formatNamedValues(Object.entries(settings)));
}
