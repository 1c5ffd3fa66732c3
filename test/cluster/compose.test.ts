import { existsSync } from 'node:fs';
import { BlockList } from 'node:net';
import { completeConfig, planStart, variableNames } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/market.js';
import { read, readCompose, readEnvFile, type Service } from './compose.js';

const { services, networks, volumes } = readCompose();
const example = readEnvFile('.env.example');
const ours = ['projector', 'command-service', 'query-service'] as const;
const engines = ['eventstore', 'mongodb', 'redis'];
const all: readonly [string, Service][] = Object.entries(services);
const serviceOf = (name: string): Service => {
  const found = services[name];
  if (!found) throw new Error(`There is no service ${name}`);
  return found;
};
/** @param range as 10.0.0.0/24 */
function addressesOf(range: string): BlockList {
  const [first = '', bits] = range.split('/');
  const addresses = new BlockList();
  addresses.addSubnet(first, Number(bits));
  return addresses;
}
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
      // Whole versions: what is tried is what is run.
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
      for (const [, { condition }] of entries) expect(condition).toBe('service_healthy');
      return entries.map(([other]) => other).sort();
    };
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
    expect(asked('eventstore')).toContain('http://127.0.0.1:2113/health/live');
    expect(asked('redis')).toBe('CMD redis-cli -e ping');
    // A replica set of one member, which makes itself, by the name that services know it by.
    expect(asked('mongodb')).toMatch(/rs\.initiate\(.*host: 'mongodb:27017'/s);
    expect(asked('mongodb')).toContain('isWritablePrimary');
    for (const [name, { healthcheck }] of all)
      expect(healthcheck.retries, name).toBeGreaterThanOrEqual(20);
  });

  it('runs the log on EventStoreDB 23.10, without a password and TLS only where nobody else is', () => {
    const { image, environment } = serviceOf('eventstore');
    expect(image).toMatch(/^eventstore\/eventstore:23\.10\./);
    expect(environment.EVENTSTORE_INSECURE).toBe('true');
    for (const name of ours) {
      expect(serviceOf(name).environment.EVENTSTORE_URL).toBe('esdb://eventstore:2113?tls=false');
    }
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

  it('keeps what must last in volumes that are declared', () => {
    const named = all.flatMap(([, it]) => it.volumes.filter((volume) => !volume.startsWith('.')));
    expect([...new Set(named.map((volume) => volume.split(':', 1)[0]))].sort()).toEqual(
      Object.keys(volumes).sort(),
    );
    expect(engines.map((name) => serviceOf(name).volumes)).toEqual([
      ['events:/var/lib/eventstore'],
      ['documents:/data/db'],
      ['queues:/data'],
    ]);
    for (const name of ours) {
      expect(serviceOf(name).volumes).toEqual([`data:${serviceOf(name).environment.DATA_DIR}`]);
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
      for (const variable of ['EVENTSTORE_URL', 'MONGODB_URL', 'REDIS_URL']) {
        expect(engines).toContain(hostIn(environment[variable] ?? ''));
      }
      // The replica set that the driver asks for is the one that is made.
      const set = new URL(environment.MONGODB_URL ?? '').searchParams.get('replicaSet');
      expect(serviceOf('mongodb').command).toContain(set);
    }
    for (const variable of Object.keys(example)) expect(variableNames).toContain(variable);
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
    const env = { ...example, ...serviceOf(name).environment, DATA_DIR: folder.path };
    const plan = planStart(env, { everything: false });
    if (!plan.ok) throw new Error(plan.problems.join('; '));
    const config = completeConfig(plan.value, folder.path);
    expect(config).toMatchObject({
      ok: true,
      value: { demo: true, hosts: ['0.0.0.0'], port: 8080, publicUrl: 'http://localhost:8080' },
    });
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
      'passwords',
      'Back them up',
      'openssl rand',
    ])
      expect(forReal).toContain(need);
    for (const variable of ['TOKEN_SECRET', 'KEYS_MASTER_KEY', 'PAYSTACK_SECRET', 'SMTP_URL'])
      expect(forReal).toContain(`\n${variable}=`);
  });

  it('refuses the example once it is no demo any more, until real secrets are set', () => {
    const env = { ...example, ...serviceOf('projector').environment, OJA_DEMO: '' };
    const plan = planStart(env, { everything: false });
    expect(plan.ok ? '' : plan.problems.join(' ')).toMatch(
      /PAYSTACK_SECRET.*TOKEN_SECRET.*KEYS_MASTER_KEY/,
    );
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
    // A line that still gets mends for years: 20 ended in April 2026.
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
