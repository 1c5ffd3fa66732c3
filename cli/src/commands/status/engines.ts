import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, files } from '@oja/platform';

export interface EngineStatus {
  readonly port: string;
  readonly engine: string;
  /** Of the embedded ones, with their write-ahead log. */
  readonly bytes: number | null;
}

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);

function embedded(port: string, config: Config, name: string): EngineStatus {
  const path = join(config.dataDir, name);
  return { port, engine: path, bytes: sizeOf(path) + sizeOf(`${path}-wal`) };
}

/** An address without what may be secret in it: all before its last `@`, since passwords hold any sign. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/.*@/s, '//…@');
}

function remote(port: string, url: string | null): EngineStatus | null {
  return url === null ? null : { port, engine: withoutCredentials(url), bytes: null };
}

/** Which engine each port has. */
export function enginesOf(config: Config): readonly EngineStatus[] {
  const { eventStoreUrl, mongodbUrl, redisUrl, paystack, cloudinary, smtpUrl } = config;
  const at = (port: string, name: string) => embedded(port, config, name);
  return [
    remote('events', eventStoreUrl) ?? at('events', files.log),
    remote('documents', mongodbUrl) ?? at('documents', files.documents),
    remote('state', mongodbUrl) ?? at('state', files.state),
    remote('jobs', redisUrl) ?? at('jobs', files.jobs),
    remote('keys', mongodbUrl) ?? at('keys', files.keys),
    { port: 'payments', engine: paystack.url ?? 'the sandbox that Oja ships', bytes: null },
    { port: 'images', engine: cloudinary?.url ?? 'the image host that Oja ships', bytes: null },
    remote('mail', smtpUrl) ?? {
      port: 'mail',
      engine: join(config.dataDir, files.mail),
      bytes: null,
    },
  ];
}
