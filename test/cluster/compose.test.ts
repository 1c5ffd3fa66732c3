import { execFileSync, spawn } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join, relative } from 'node:path';
import { completeConfig, planStart, variableNames } from '@oja/platform';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { haveProgram } from '../../platform/test/contracts/programs.js';
import { freePort, temporaryFolder } from '../support/market.js';
import { read, readCompose, readEnvFile, type Service } from './compose.js';

const { services: everyService, networks, volumes } = readCompose();
/** `secrets` runs once and exits; all other services keep running. */
const { secrets: maker, ...services } = everyService;
const example = readEnvFile('.env.example');
const ours = ['projector', 'command-service', 'query-service'] as const;
const engines = ['eventstore', 'mongodb', 'redis'];
const all: readonly [string, Service][] = Object.entries(services);
const serviceOf = (name: string): Service => {
  const found = services[name];
  if (!found) throw new Error(`There is no service ${name}`);
  return found;
};
/** @param range such as 10.0.0.0/24 */
function addressesOf(range: string): BlockList {
  const [first = '', bits] = range.split('/');
  const addresses = new BlockList();
  addresses.addSubnet(first, Number(bits));
  return addresses;
}
/** The output of deploy/secrets.sh, which the composition runs before its first start. */
const made = temporaryFolder();
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', made.path]);
  made.remove();
});
const makeSecrets = (folder: string) =>
  execFileSync('sh', [join(import.meta.dirname, '../../deploy/secrets.sh'), folder]);
const readersIn = (folder: string): readonly string[] => readdirSync(folder).sort();
const filesIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }): [string, string] => {
        const path = join(parentPath, name);
        return [relative(folder, path), readFileSync(path, 'utf8')];
      }),
  );
const hasRedis = await haveProgram('redis-server', {
  versionFlag: '--version',
  debian: 'redis-server',
});
makeSecrets(made.path);

/** A service's environment: the example's values, with secrets from the folder made above. */
const settingsOf = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...example, ...serviceOf(name).environment }).map(([variable, text]) => [
      variable,
      text.replace(/^\/secrets(?=\/)/, join(made.path, 'services')),
    ]),
  );
const networksOf = ({ networks: of }: Service) => (Array.isArray(of) ? of : Object.keys(of));

describe('docker-compose.yml', () => {
  it('has each service, each engine and the edge in a container of its own', () => {
    expect(Object.keys(services).sort()).toEqual([...ours, ...engines, 'edge'].sort());
    for (const name of ours) {
      expect(serviceOf(name)).toMatchObject({ build: '.', command: ['start', name] });
    }
  });

  it.each(all)(
    '%s runs as nobody special, on a root it cannot write, and is looked after',
    (_, it) => {
      expect(it.user).not.toMatch(/^(root|0)(:|$)/);
      expect(it.read_only).toBe(true);
      expect(it.tmpfs).toContain('/tmp');
      expect(it.cap_drop).toEqual(['ALL']);
      expect(it.security_opt).toEqual(['no-new-privileges:true']);
      expect(it.restart).toBe('unless-stopped');
      expect(it.healthcheck.test[0]).toBe('CMD');
      // Full version numbers, so that the tested image is the one that runs.
      if (it.image !== 'oja') expect(it.image).toMatch(/^[a-z/]+:\d+\.\d+\.\d+(-|$)/);
    },
  );

  it('publishes nothing but the edge, and that to this machine only', () => {
    const published = all.flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([['edge', '127.0.0.1:8080:8080']]);
    expect(networks.engines).toEqual({ internal: true });
    for (const name of engines) expect(networksOf(serviceOf(name))).toEqual(['engines']);
    expect(networksOf(serviceOf('edge'))).toEqual(['market']);
  });

  it('starts each once what it stands on is healthy', () => {
    const waitsFor = (name: string) => {
      const entries = Object.entries(serviceOf(name).depends_on);
      for (const [other, { condition }] of entries)
        expect(condition).toBe(
          other === 'secrets' ? 'service_completed_successfully' : 'service_healthy',
        );
      return entries.map(([other]) => other).sort();
    };
    for (const name of engines) expect(waitsFor(name)).toEqual(['secrets']);
    expect(waitsFor('projector')).toEqual(engines);
    const andProjector = [...engines, 'projector'].sort();
    expect(waitsFor('command-service')).toEqual(andProjector);
    expect(waitsFor('query-service')).toEqual(andProjector);
    expect(waitsFor('edge')).toEqual(['command-service', 'query-service']);
  });

  it('asks each for what whoever waits for it needs', () => {
    const asked = (name: string) => serviceOf(name).healthcheck.test.join(' ');
    for (const name of ours) expect(asked(name)).toContain('http://127.0.0.1:8080/readyz');
    expect(asked('edge')).toContain('/healthz');
    expect(asked('eventstore')).toContain(
      '/secrets/tls/ca/ca.crt https://localhost:2113/health/live',
    );
    expect(asked('redis')).toContain('redis-cli -e ping');
    // A replica set of one member, which initiates itself under the host name that services use.
    expect(asked('mongodb')).toMatch(/rs\.initiate\(.*host: 'mongodb:27017'/s);
    expect(asked('mongodb')).toContain('isWritablePrimary');
    for (const [name, { healthcheck }] of all)
      expect(healthcheck.retries, name).toBeGreaterThanOrEqual(20);
  });

  it('runs the log on EventStoreDB 23.10, with TLS and with passwords that nobody knows', () => {
    const { image, environment, entrypoint } = serviceOf('eventstore');
    expect(image).toMatch(/^eventstore\/eventstore:23\.10\./);
    expect(environment).not.toHaveProperty('EVENTSTORE_INSECURE');
    const start = entrypoint?.join(' ') ?? '';
    for (const user of ['admin', 'ops'])
      expect(start).toContain(
        `EVENTSTORE_DEFAULT_${user.toUpperCase()}_PASSWORD="$$(cat /secrets/${user}-password)"`,
      );
    for (const [variable, file] of [
      ['EVENTSTORE_CERTIFICATE_FILE', 'tls/node.crt'],
      ['EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE', 'tls/node.key'],
      ['EVENTSTORE_TRUSTED_ROOT_CERTIFICATES_PATH', 'tls/ca'],
    ] as const)
      expect(environment[variable]).toBe(`/secrets/${file}`);
  });

  it('believes the edge alone where a request came from', () => {
    const { networks: of } = serviceOf('edge');
    for (const name of ours) {
      const { TRUSTED_PROXY } = serviceOf(name).environment;
      expect(of).toEqual({ market: { ipv4_address: TRUSTED_PROXY } });
    }
  });

  it('gives nobody else the address of the edge, which starts last', () => {
    const { subnet = '', ip_range = '' } = networks.market?.ipam?.config[0] ?? {};
    const { TRUSTED_PROXY = '' } = serviceOf('projector').environment;
    expect(addressesOf(subnet).check(TRUSTED_PROXY)).toBe(true);
    expect(addressesOf(ip_range).check(TRUSTED_PROXY)).toBe(false);
  });

  it('has the address for this machine that the example says, which no service can have', () => {
    const { subnet = '', ip_range = '', gateway } = networks.market?.ipam?.config[0] ?? {};
    const [, said = ''] =
      /this machine has the address ([\d.]+\d)/.exec(read('.env.example')) ?? [];
    // Without one, Docker takes the first address of the range.
    expect(gateway).toBe(said);
    expect(addressesOf(subnet).check(said)).toBe(true);
    expect(addressesOf(ip_range).check(said)).toBe(false);
    expect(serviceOf('projector').environment.TRUSTED_PROXY).not.toContain(said);
  });

  it('waits for read models that are built anew, however long that takes', () => {
    const HOUR = /^(\d+)h$/;
    for (const name of ours) {
      const { start_period = '' } = serviceOf(name).healthcheck;
      expect(Number(HOUR.exec(start_period)?.[1]), name).toBeGreaterThanOrEqual(24);
    }
  });

  it('runs a command without starting what it stands on', () => {
    for (const name of ['docs/deploy.md', '.env.example', 'docker-compose.yml', 'README.md'])
      for (const [, options = ''] of read(name).matchAll(/docker compose run (.*)/g))
        if (!options.includes('--entrypoint')) expect(options, name).toContain('--no-deps');
  });

  it('keeps what must last in volumes that are declared', () => {
    const named = all.flatMap(([, it]) => it.volumes.filter((volume) => !volume.startsWith('.')));
    expect([...new Set(named.map((volume) => volume.split(':', 1)[0]))].sort()).toEqual(
      Object.keys(volumes).sort(),
    );
    expect(engines.map((name) => serviceOf(name).volumes)).toEqual([
      ['events:/var/lib/eventstore', 'eventstore-secrets:/secrets:ro'],
      ['documents:/data/db', 'mongodb-secrets:/secrets:ro'],
      ['queues:/data', 'redis-secrets:/secrets:ro'],
    ]);
    for (const name of ours) {
      expect(serviceOf(name).volumes).toEqual([
        `data:${serviceOf(name).environment.DATA_DIR}`,
        'service-secrets:/secrets:ro',
      ]);
    }
    expect(serviceOf('redis').command?.join(' ')).toMatch(
      /--appendonly yes .*--maxmemory-policy noeviction/,
    );
    expect(serviceOf('mongodb').command).toContain('--replSet');
  });

  it('names only variables that Oja reads, and the engines it starts', () => {
    for (const name of ours) {
      const { environment, env_file } = serviceOf(name);
      expect(env_file).toEqual(['.env']);
      for (const variable of Object.keys(environment)) expect(variableNames).toContain(variable);
    }
    for (const variable of Object.keys(example)) expect(variableNames).toContain(variable);
  });

  it('is explained with every variable that Oja reads, in a document or beside an example', () => {
    const texts = [
      'README.md',
      '.env.example',
      ...['deploy', 'operations'].map((page) => `docs/${page}.md`),
    ];
    const words = new Set(texts.flatMap((text) => read(text).split(/\W+/)));
    const own = variableNames.filter(
      (name) => !name.endsWith('_FILE') && !name.startsWith('OTEL_'),
    );
    expect(own.filter((name) => !words.has(name))).toEqual([]);
  });

  it('holds no secret, and neither does the example', () => {
    const secrets = ['TOKEN_SECRET', 'KEYS_MASTER_KEY', 'PAYSTACK_SECRET', 'VAPID_PRIVATE'];
    for (const name of secrets) {
      expect(example).toHaveProperty(name, '');
      expect(read('docker-compose.yml')).not.toContain(name);
    }
    expect(read('.gitignore').split('\n')).toContain('.env');
    expect(read('.dockerignore').split('\n')).toContain('.env');
  });

  it.each(ours)('%s may start with the example, as a demo that listens to its network', (name) => {
    const folder = temporaryFolder();
    const env = { ...settingsOf(name), DATA_DIR: folder.path };
    const plan = planStart(env, { everything: false });
    if (!plan.ok) throw new Error(plan.problems.join('; '));
    const config = completeConfig(plan.value, folder.path);
    expect(config).toMatchObject({
      ok: true,
      value: { demo: true, hosts: ['0.0.0.0'], port: 8080, publicUrl: 'http://localhost:8080' },
    });
    if (!config.ok) throw new Error(config.problems.join('; '));
    const { eventStoreUrl, mongodbUrl, redisUrl } = config.value;
    expect([eventStoreUrl, mongodbUrl, redisUrl].map((url) => hostIn(url ?? ''))).toEqual(engines);
    // The driver must name the replica set that mongod starts.
    const set = new URL(mongodbUrl ?? '').searchParams.get('replicaSet');
    expect(serviceOf('mongodb').command).toContain(set);
    folder.remove();
  });

  it('says in the example what real money needs', () => {
    expect(example).toMatchObject({ OJA_DEMO: '1', PUBLIC_URL: 'http://localhost:8080' });
    const [, forReal = ''] = read('.env.example').split('# --- For real money');
    for (const need of [
      'OJA_DEMO',
      'TLS',
      'https',
      'TRUSTED_PROXY',
      'Back them up',
      'openssl rand',
    ])
      expect(forReal).toContain(need);
    for (const variable of ['TOKEN_SECRET', 'KEYS_MASTER_KEY', 'PAYSTACK_SECRET', 'SMTP_URL'])
      expect(forReal).toContain(`\n${variable}=`);
  });

  it('refuses the example once it is no demo any more, until real secrets are set', () => {
    const env = { ...settingsOf('projector'), OJA_DEMO: '' };
    const plan = planStart(env, { everything: false });
    expect(plan.ok ? '' : plan.problems.join(' ')).toMatch(
      /PAYSTACK_SECRET.*TOKEN_SECRET.*KEYS_MASTER_KEY/,
    );
  });
});

describe('What the engines and the services know each other by', () => {
  it('is made once, before any of them starts, by who is of no network', () => {
    expect(maker).toMatchObject({
      restart: 'no',
      read_only: true,
      cap_drop: ['ALL'],
      cap_add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
      security_opt: ['no-new-privileges:true'],
      network_mode: 'none',
      entrypoint: ['sh', '/secrets.sh', '/secrets'],
    });
    expect(maker?.image).toBe(serviceOf('mongodb').image);
    const [script, ...places] = maker?.volumes ?? [];
    expect(script).toBe('./deploy/secrets.sh:/secrets.sh:ro');
    expect(places.map((volume) => volume.split(':/secrets/')[1])).toEqual(readersIn(made.path));
  });

  it('is the same after every further start', () => {
    const before = filesIn(made.path);
    makeSecrets(made.path);
    expect(filesIn(made.path)).toEqual(before);
    expect(before.size).toBe(13);
  });

  it('can be read by nobody else', () => {
    for (const path of filesIn(made.path).keys())
      expect(statSync(join(made.path, path)).mode & 0o777, path).toBe(0o400);
    for (const name of readersIn(made.path))
      expect(statSync(join(made.path, name)).mode & 0o777, name).toBe(0o500);
  });

  it('has passwords of 256 random bits, which stand in the addresses', () => {
    const files = filesIn(made.path);
    for (const [password, address] of [
      ['eventstore/admin-password', 'services/eventstore-url'],
      ['mongodb/password', 'services/mongodb-url'],
      ['redis/password', 'services/redis-url'],
    ] as const) {
      const text = files.get(password)?.trim() ?? '';
      expect(text).toMatch(/^[0-9a-f]{64}$/);
      expect(files.get(address)).toContain(`:${text}@`);
    }
    expect(files.get('mongodb/keyfile')?.replaceAll('\n', '')).toMatch(
      /^[A-Za-z0-9+/=]{680,1024}$/,
    );
    expect(serviceOf('mongodb').command).toEqual(
      expect.arrayContaining(['--keyFile', '/secrets/keyfile']),
    );
  });

  it("has a certificate for EventStoreDB's name, by an authority whose key is gone", () => {
    const files = filesIn(made.path);
    const authority = new X509Certificate(files.get('services/eventstore-ca.crt') ?? '');
    const node = new X509Certificate(files.get('eventstore/tls/node.crt') ?? '');
    expect(authority.ca).toBe(true);
    expect(node.ca).toBe(false);
    expect(node.verify(authority.publicKey)).toBe(true);
    for (const name of ['eventstore', 'localhost']) expect(node.checkHost(name)).toBe(name);
    expect(node.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(node.checkPrivateKey(createPrivateKey(files.get('eventstore/tls/node.key') ?? ''))).toBe(
      true,
    );
    const keys = [...files].filter(([, text]) => text.includes('PRIVATE KEY'));
    expect(keys.map(([path]) => path)).toEqual(['eventstore/tls/node.key']);
    expect(files.get('services/eventstore-url')).toContain(
      'tls=true&tlsCAFile=/secrets/eventstore-ca',
    );
  });

  it.skipIf(!hasRedis)('lets into Redis who has its address, and nobody else', async () => {
    const own = temporaryFolder();
    const port = await freePort();
    const [program = '', settings = '', ...args] = serviceOf('redis').command ?? [];
    const server = spawn(
      program,
      [
        settings.replace('/secrets', join(made.path, 'redis')),
        ...args,
        ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', own.path],
      ],
      { stdio: 'ignore' },
    );
    const ended = once(server, 'exit');
    const address = filesIn(made.path).get('services/redis-url')?.trim() ?? '';
    const at = (url: string) =>
      new Redis(url.replace('redis:6379', `127.0.0.1:${port}`), {
        retryStrategy: () => 20,
        maxRetriesPerRequest: null,
      }).on('error', () => {});
    const [known, stranger] = [at(address), at('redis://redis:6379')];
    expect(await known.ping()).toBe('PONG');
    await expect(stranger.ping()).rejects.toThrow(/NOAUTH/);
    const [, ...check] = serviceOf('redis').healthcheck.test;
    const [shell = '', ...script] = check.map((part) =>
      part
        .replace('/secrets', join(made.path, 'redis'))
        .replace('redis-cli', `redis-cli -p ${port}`)
        .replaceAll('$$', '$'),
    );
    expect(execFileSync(shell, script, { encoding: 'utf8' })).toBe('PONG\n');
    for (const client of [known, stranger]) client.disconnect();
    server.kill();
    await ended;
    own.remove();
  });
});

const hostIn = (address: string): string => new URL(address).hostname;

describe('The image', () => {
  const dockerfile = read('Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/oja\/(\S+) (\S+)$/gm)];

  it('has what every workspace is built to, and what the command line needs beside it', () => {
    const { workspaces }: { readonly workspaces: readonly string[] } = JSON.parse(
      read('package.json'),
    );
    const places = copied.map(([, from, to]) => {
      expect(from).toBe(to);
      return to;
    });
    const built = workspaces.map((name) => `${name}/dist`);
    expect(places).toEqual(expect.arrayContaining([...built, 'cli/bin', 'demo/assets']));
    for (const name of workspaces) {
      expect(dockerfile.split(`COPY ${name}/package.json ${name}/`)).toHaveLength(3);
    }
    for (const place of ['cli/bin', 'demo/assets']) expect(existsSync(place)).toBe(true);
  });

  it('is made in stages, and what builds it is not in it', () => {
    const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)];
    expect(stages.map(([, , name]) => name)).toEqual(['build', 'packages', undefined]);
    expect(new Set(stages.map(([, image]) => image))).toEqual(new Set([`\${NODE}`]));
    // Node 24 is a release line with years of fixes; 20 ended in April 2026.
    expect(dockerfile).toMatch(/^ARG NODE=node:24\.\d+\.\d+-/m);
    expect(dockerfile).toMatch(/npm ci --omit=dev/);
    const [, last = ''] = dockerfile.split(/^FROM \S+$/m);
    expect(last).not.toMatch(/npm|COPY (?!--from)/);
  });

  it('runs as somebody who may not change it', () => {
    const [, last = ''] = dockerfile.split(/\nUSER /);
    expect(last).toMatch(/^node\n/);
  });
});
