import type { Config, Plan } from '@oja/platform';
import { withContext } from '../runtime/context.js';
import { planOrExit } from '../runtime/open-data.js';
import { type Output, show, table } from '../terminal/output.js';

type Setting = readonly [name: string, value: string];

/** An address without its credentials: everything before the last `@`, since a password may hold any character. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/.*@/s, '//…@');
}

const HIDDEN = '(set, hidden)';
const url = (address: string | null, otherwise: string) =>
  address === null ? otherwise : withoutCredentials(address);
const hidden = (secret: unknown) => (secret === null ? '(not set)' : HIDDEN);
const orUnset = (text: string) => (text === '' ? '(not set)' : text);

function settingsOf(config: Config, { variables }: Plan): readonly Setting[] {
  const { paystack, cloudinary, support, dropOffAddress, push } = config;
  return [
    ['DATA_DIR', config.dataDir],
    ['PORT', String(config.port)],
    ['HOST', config.hosts.length === 0 ? '(everywhere)' : config.hosts.join(', ')],
    ['PUBLIC_URL', config.publicUrl],
    ['OJA_DEMO', config.demo ? 'on' : 'off'],
    ['EVENTSTORE_URL', url(config.eventStoreUrl, '(embedded)')],
    ['MONGODB_URL', url(config.mongodbUrl, '(embedded)')],
    ['REDIS_URL', url(config.redisUrl, '(embedded)')],
    ['PAYSTACK_URL', url(paystack.url, '(the sandbox that Oja ships)')],
    ['PAYSTACK_SECRET', HIDDEN],
    ['CLOUDINARY_URL', url(cloudinary?.url ?? null, '(the image host that Oja ships)')],
    ['CLOUDINARY_PRESET', orUnset(cloudinary?.preset ?? '')],
    ['SMTP_URL', url(config.smtpUrl, '(e-mails are written to files)')],
    ['TOKEN_SECRET', HIDDEN],
    ['TOKEN_SECRET_FALLBACK', hidden(config.tokenSecretFallback)],
    ['KEYS_MASTER_KEY', HIDDEN],
    ['KEYS_MASTER_KEY_FALLBACK', hidden(config.keysMasterKeyFallback)],
    ['PAYOUTS', config.payouts ? 'on' : 'off'],
    ['SUPPORT_EMAIL', orUnset(support.email)],
    ['SUPPORT_PHONE', orUnset(support.phone)],
    ['SUPPORT_ADDRESS', orUnset(support.address)],
    ['DROP_OFF_ADDRESS', dropOffAddress || '(none: sold goods are collected from the sellers)'],
    ['VAPID_PUBLIC', orUnset(push?.publicKey ?? '')],
    ['VAPID_PRIVATE', hidden(push)],
    ['TRUSTED_PROXY', orUnset(config.trustedProxy.join(', '))],
    ['BACKUP_RECIPIENT', orUnset(variables.BACKUP_RECIPIENT?.join(', ') ?? '')],
    ['BACKUP_KEY', hidden(variables.BACKUP_KEY ?? null)],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', url(config.tracing?.endpoint ?? null, '(no traces)')],
    ['LOG_LEVEL', config.logLevel],
  ];
}

export async function config(options: Output): Promise<void> {
  // Reports wrong settings before looking for a market.
  const plan = planOrExit(process.env, true);
  await withContext(async (context) => {
    const settings = settingsOf(context.config, plan);
    // Always in columns: without a heading row the values could not be listed under each other on a narrow screen.
    show<'config'>(options, Object.fromEntries(settings), () => table(settings, null));
  });
}
