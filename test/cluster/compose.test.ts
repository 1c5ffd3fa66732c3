import { existsSync } from 'node:fs';
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
      expect(it.image).not.toMatch(/:latest$/);
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

  it('keeps what must last in volumes that are declared', () => {
    const named = all.flatMap(([, it]) => it.volumes.filter((volume) => !volume.startsWith('.')));
    expect([...new Set(named.map((volume) => volume.split(':', 1)[0]))].sort()).toEqual(
      Object.keys(volumes).sort(),
    );
    for (const name of engines) expect(serviceOf(name).volumes).toHaveLength(1);
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
    expect(places).toEqual(expect.arrayContaining([...built, 'cli/bin', 'cli/assets']));
    for (const name of workspaces) {
      expect(dockerfile.split(`COPY ${name}/package.json ${name}/`)).toHaveLength(3);
    }
    for (const place of ['cli/bin', 'cli/assets']) expect(existsSync(place)).toBe(true);
  });

  it('runs as somebody who may not change it', () => {
    const [, last = ''] = dockerfile.split(/\nUSER /);
    expect(last).toMatch(/^node\n/);
  });
});
