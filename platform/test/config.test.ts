import { createECDH } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  completeConfig,
  joinProblems,
  ownOrigin,
  planStart,
  takesTestPayments,
} from '@oja/platform';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'oja-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const real = {
  PAYSTACK_SECRET: 'sk_live_abc',
  PUBLIC_URL: 'https://oja.example/',
  TOKEN_SECRET: 't'.repeat(32),
  KEYS_MASTER_KEY: 'ab'.repeat(32),
};

function planned(env: NodeJS.ProcessEnv, everything = true) {
  const plan = planStart(env, { everything });
  if (!plan.ok) throw new Error(plan.problems.join('\n'));
  return plan.value;
}
function completed(env: NodeJS.ProcessEnv, everything = true, dataDir = folder) {
  const config = completeConfig(planned(env, everything), dataDir);
  if (!config.ok) throw new Error(config.problems.join('\n'));
  return config.value;
}
function problemsOf(env: NodeJS.ProcessEnv, everything = true) {
  const plan = planStart(env, { everything });
  return plan.ok ? [] : plan.problems;
}

describe('the address of a server', () => {
  const odd = ['pa55', 'p#ss', 'p/a/ss', 'p@ss@word', 'p?ss', '100%', '%zz', 'pä:ss', 'a b'];

  it.each(
    odd.flatMap((password) => [
      ['SMTP_URL', 'smtps', password],
      ['REDIS_URL', 'redis', password],
    ]),
  )('%s keeps whatever password is in it: %s, %s', (name = '', scheme, password = '') => {
    const config = completed({
      ...real,
      [name]: `${scheme}://mailer:${password}@host.example:587/1`,
    });
    const address = new URL((name === 'SMTP_URL' ? config.smtpUrl : config.redisUrl) ?? '');
    expect(decodeURIComponent(address.password)).toBe(password);
    expect([address.username, address.host, address.pathname]).toEqual([
      'mailer',
      'host.example:587',
      '/1',
    ]);
  });

  it('takes a password as addresses spell it', () => {
    const { smtpUrl } = completed({ ...real, SMTP_URL: 'smtp://mailer:p%40ss%2F@host.example' });
    expect(decodeURIComponent(new URL(smtpUrl ?? '').password)).toBe('p@ss/');
  });

  it.each(['smtp://mailer:hunter2@', 'smtp://mailer:hunter2@ho st', 'smtp://', 'mail:hunter2'])(
    'that is none is said not to be, and not shown: %s',
    (address) => {
      const problems = problemsOf({ ...real, SMTP_URL: address }).join();
      expect(problems).toContain('SMTP_URL must');
      expect(problems).not.toContain('hunter2');
    },
  );
});

describe('traces', () => {
  const endpoint = 'http://collector:4318';
  const tracing = (env: NodeJS.ProcessEnv) => completed({ ...real, ...env }).tracing;

  it('go where the variables of OpenTelemetry say', () => {
    const json = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces` };
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual({
      endpoint,
      protocol: 'http/protobuf',
    });
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318', ...own, ...json })).toEqual({
      endpoint: `${endpoint}/v1/traces`,
      protocol: 'http/json',
    });
  });

  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'True' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' },
    // Another program's collector takes gRPC only.
    ...['OTEL_SDK_DISABLED=true', 'OTEL_TRACES_EXPORTER=none'].flatMap((off) =>
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].map((name) => ({
        [name]: 'collector:4317',
        ...Object.fromEntries([off.split('=')]),
      })),
    ),
    // Without an endpoint the other variables are meant for other programs, so they are no error.
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_EXPORTER: 'console' },
  ])('go nowhere by %o', (env) => expect(tracing(env)).toBeNull());

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
  ])('are refused where they cannot go: %s=%s', (name, text) => {
    const env = { ...real, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, [name]: text };
    expect(problemsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))]);
  });
});

describe('a demo', () => {
  it('is a start of everything on engines of its own for this machine alone', () => {
    expect(planned({}).demo).toBe(true);
    expect(planned({ PUBLIC_URL: 'http://localhost:9000', PORT: '9000' }).demo).toBe(true);
    expect(planned(real).demo).toBe(false);
  });

  it.each([
    ['EVENTSTORE_URL', 'esdb://127.0.0.1:2113?tls=false'],
    ['MONGODB_URL', 'mongodb://127.0.0.1/?replicaSet=rs'],
    ['REDIS_URL', 'redis://127.0.0.1'],
    ['PAYSTACK_SECRET', 'sk_test_1'],
    ['PAYSTACK_URL', 'https://api.paystack.co'],
    ['SMTP_URL', 'smtp://127.0.0.1:25'],
    ['PUBLIC_URL', 'https://oja.example'],
    ['OJA_DEMO', '0'],
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.168.1.7'],
    ['HOST', 'market.local'],
  ])('is over once %s says otherwise', (name, text) => {
    expect(problemsOf({ [name]: text }).join()).toContain('TOKEN_SECRET must be set');
    expect(planned({ ...real, [name]: text }).demo).toBe(false);
  });

  it('is never one service alone, unless the operator says so', () => {
    expect(problemsOf({}, false)).toHaveLength(4);
    expect(planned({ OJA_DEMO: '1' }, false).demo).toBe(true);
    expect(planned({ OJA_DEMO: '1', MONGODB_URL: 'mongodb://db' }, false).demo).toBe(true);
  });

  it('takes no real money', () => {
    expect(problemsOf({ OJA_DEMO: '1', PAYSTACK_SECRET: 'sk_live_abc' })).toEqual([
      expect.stringContaining('PAYSTACK_SECRET takes real money'),
    ]);
  });

  it('takes no public key for the secret one, as a real market does not', () => {
    for (const env of [{ OJA_DEMO: '1' }, real])
      for (const key of ['pk_test_abc', 'pk_live_abc'])
        expect(problemsOf({ ...env, PAYSTACK_SECRET: key })).toEqual([
          'PAYSTACK_SECRET must be the secret key, which begins with sk_, and not the public one (pk_)',
        ]);
  });

  it('listens on this machine alone unless HOST is set', () => {
    expect(completed({}).hosts).toEqual(['127.0.0.1', '::1']);
    expect(completed({ HOST: '127.0.0.1' })).toMatchObject({ demo: true, hosts: ['127.0.0.1'] });
    const opened = completed({ HOST: '0.0.0.0', OJA_DEMO: '1' });
    expect(opened).toMatchObject({ demo: true, hosts: ['0.0.0.0'] });
    expect(completed(real).hosts).toEqual([]);
  });

  it('makes its secrets once, for its owner only, the same for every process', () => {
    const own = mkdtempSync(join(folder, 'own-'));
    const first = completed({}, true, own);
    const second = completed({ OJA_DEMO: '1' }, false, own);
    expect(second.tokenSecret).toBe(first.tokenSecret);
    expect(second.keysMasterKey).toEqual(first.keysMasterKey);
    expect(first.keysMasterKey).toHaveLength(32);
    expect(Buffer.from(first.push?.privateKey ?? '', 'base64url')).toHaveLength(32);
    expect(Buffer.from(first.push?.publicKey ?? '', 'base64url')).toHaveLength(65);
    expect(first.paystack).toMatchObject({ url: null, secret: expect.stringMatching(/^sk_test_/) });
    expect(statSync(join(own, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(own)).toEqual(['secrets.json']);
  });

  it.each(['keys.db', 'log.db'])('makes no secrets beside a %s that had others', (name) => {
    const own = mkdtempSync(join(folder, 'lost-'));
    writeFileSync(join(own, name), 'sealed');
    expect(completeConfig(planned({}), own)).toEqual({
      ok: false,
      problems: [expect.stringMatching(/^secrets\.json is missing from .*oja restore/)],
    });
    expect(readdirSync(own)).toEqual([name]);
    // Whoever gives the secrets of the data needs no file.
    expect(
      completed({ ...real, PAYSTACK_SECRET: undefined, OJA_DEMO: '1' }, true, own).tokenSecret,
    ).toBe(real.TOKEN_SECRET);
  });

  it('does not replace secrets it cannot read', () => {
    const own = mkdtempSync(join(folder, 'broken-'));
    writeFileSync(join(own, 'secrets.json'), '{"tokenSecret":');
    const config = completeConfig(planned({}), own);
    expect(config).toMatchObject({ ok: false, problems: [expect.stringContaining('last copy')] });
    expect(readFileSync(join(own, 'secrets.json'), 'utf8')).toBe('{"tokenSecret":');
  });
});

describe('any other start', () => {
  it('names all that is missing, in one sentence', () => {
    const sentence = joinProblems(problemsOf({ PUBLIC_URL: 'https://oja.example' }));
    for (const name of ['PAYSTACK_SECRET', 'TOKEN_SECRET', 'KEYS_MASTER_KEY']) {
      expect(sentence).toContain(`${name} must be set`);
    }
    expect(sentence).not.toContain('\n');
  });

  it('takes no real money with a test key, as a demo does', () => {
    expect(takesTestPayments(completed(real))).toBe(false);
    expect(takesTestPayments(completed({ ...real, PAYSTACK_SECRET: 'sk_test_abc' }))).toBe(true);
    expect(takesTestPayments(completed({}))).toBe(false);
  });

  it('is reached by https only', () => {
    const open = ['http://oja.example', 'http://localhost:8080', 'http://127.0.0.1'];
    for (const PUBLIC_URL of open) {
      expect(problemsOf({ ...real, PUBLIC_URL, OJA_DEMO: '0' })).toEqual([
        expect.stringMatching(/^PUBLIC_URL must begin with https/),
      ]);
      expect(problemsOf({ ...real, PUBLIC_URL }, false)).toHaveLength(1);
    }
    expect(problemsOf({ PUBLIC_URL: 'http://market.lan', OJA_DEMO: '1' })).toEqual([]);
    expect(problemsOf({ ...real, PUBLIC_URL: 'HTTP://oja.example' })).toHaveLength(1);
  });

  it('knows its public address as browsers write it', () => {
    const PUBLIC_URL = 'HTTPS://Oja.Example:443/';
    expect(completed({ ...real, PUBLIC_URL }).publicUrl).toBe('https://oja.example');
  });

  it('writes no secrets of its own and never uses the sandbox', () => {
    const own = mkdtempSync(join(folder, 'real-'));
    const config = completed(real, false, own);
    expect(readdirSync(own)).toEqual([]);
    expect(config.paystack).toEqual({ url: 'https://api.paystack.co', secret: 'sk_live_abc' });
    expect(config.publicUrl).toBe('https://oja.example');
    expect(config.push).toBeNull();
    expect(config.support.phone).toBe('');
  });

  it.each([
    [undefined, ''],
    [' ', ''],
    [' 4 Broad Street, Lagos ', '4 Broad Street, Lagos'],
  ])('takes %j for where sold goods are brought', (DROP_OFF_ADDRESS, address) => {
    const own = mkdtempSync(join(folder, 'drop-off-'));
    const config = completed({ ...real, DROP_OFF_ADDRESS }, false, own);
    expect(config.dropOffAddress).toBe(address);
  });
});

/** As `web-push generate-vapid-keys` makes it. */
function keyPair() {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const half = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex');
  return {
    VAPID_PUBLIC: pair.getPublicKey('base64url'),
    VAPID_PRIVATE: half.toString('base64url'),
  };
}

describe('a variable that is wrong', () => {
  it.each([
    ['PORT', '80800'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'oja.example'],
    ['PUBLIC_URL', 'https://oja.example/market'],
    ['PUBLIC_URL', 'https://oja.example?a=1'],
    ['PUBLIC_URL', 'https://oja.example/#top'],
    ['PUBLIC_URL', 'https://ada:short-secret@oja.example'],
    ['CLOUDINARY_URL', 'cloudinary://key:short-secret@shop'],
    ['CLOUDINARY_URL', 'https://key:short-secret@api.cloudinary.com/v1_1/shop/image/upload'],
    ['CLOUDINARY_URL', 'https://api.cloudinary.com/v1_1/shop/image/upload?api_key=short-secret'],
    ['CLOUDINARY_URL', 'https://api.cloudinary.com/v1_1/shop'],
    ['CLOUDINARY_URL', 'https://api.cloudinary.com/shop/image/upload'],
    ['PAYSTACK_URL', 'https://sk:short-secret@api.paystack.co'],
    ['EVENTSTORE_URL', 'kurrentdb://127.0.0.1'],
    ['MONGODB_URL', 'localhost:27017'],
    ['MONGODB_URL', 'mongodb://ada:a@short-secret/b@db.example/oja'],
    ['REDIS_URL', 'redis://ada:short-secret@redis.example/jobs'],
    ['TOKEN_SECRET', 'short-secret'],
    ['KEYS_MASTER_KEY', 'not-32-bytes'],
    ['PAYOUTS', 'maybe'],
    ['TRUSTED_PROXY', 'proxy.local'],
    ['TRUSTED_PROXY', '10.0.0.0/33'],
    ['SUPPORT_EMAIL', 'nobody'],
    ['LOG_LEVEL', 'loud'],
  ])('is named (%s=%s) and its value is not repeated', (name, text) => {
    const problems = problemsOf({ [name]: text });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} must `))]);
    expect(problems.join()).not.toContain('short-secret');
  });

  it('is half of a pair', () => {
    expect(problemsOf({ VAPID_PUBLIC: keyPair().VAPID_PUBLIC })).toEqual([
      'VAPID_PRIVATE must be set, because VAPID_PUBLIC is',
    ]);
  });

  it('is a key that signs no push, or belongs to another one', () => {
    const [one, other] = [keyPair(), keyPair()];
    expect(completed({ ...real, ...one }).push).toEqual({
      publicKey: one.VAPID_PUBLIC,
      privateKey: one.VAPID_PRIVATE,
    });
    const wrong = (change: Readonly<Record<string, string>>) => problemsOf({ ...one, ...change });
    const long = Buffer.alloc(65, 1).toString('base64url');
    for (const key of ['x', one.VAPID_PRIVATE, long, `${one.VAPID_PUBLIC}=`, 'ọjà'])
      expect(wrong({ VAPID_PUBLIC: key }), key).toEqual([
        expect.stringMatching(/^VAPID_PUBLIC must be /),
      ]);
    for (const key of ['x', one.VAPID_PUBLIC, 'ab'.repeat(32), `${one.VAPID_PRIVATE}=`])
      expect(wrong({ VAPID_PRIVATE: key }), key).toEqual([
        expect.stringMatching(/^VAPID_PRIVATE must be /),
      ]);
    const none = Buffer.alloc(32).toString('base64url');
    for (const key of [other.VAPID_PRIVATE, none])
      expect(wrong({ VAPID_PRIVATE: key })).toEqual([
        expect.stringMatching(/^VAPID_PUBLIC must be the public half of VAPID_PRIVATE/),
      ]);
  });

  it('may be a file that holds it; one that is set itself comes first', () => {
    const file = join(folder, 'token-secret');
    writeFileSync(file, `${'f'.repeat(40)}\n`);
    const { TOKEN_SECRET, ...others } = real;
    expect(completed({ ...others, TOKEN_SECRET_FILE: file }).tokenSecret).toBe('f'.repeat(40));
    expect(completed({ ...real, TOKEN_SECRET_FILE: file }).tokenSecret).toBe(TOKEN_SECRET);
    expect(problemsOf({ MONGODB_URL_FILE: join(folder, 'nowhere') })).toEqual([
      'MONGODB_URL_FILE names a file that cannot be read',
    ]);
    writeFileSync(file, ' \n');
    expect(problemsOf({ ...others, TOKEN_SECRET_FILE: file })).toEqual([
      'TOKEN_SECRET_FILE names an empty file',
    ]);
  });

  it('is not one that is empty', () => {
    expect(completed({ MONGODB_URL: '', PORT: ' ' })).toMatchObject({ demo: true, port: 8080 });
  });
});

it.each([
  [[], 'http://127.0.0.1:8080'],
  [['0.0.0.0'], 'http://127.0.0.1:8080'],
  [['127.0.0.1', '::1'], 'http://127.0.0.1:8080'],
  [['::1'], 'http://[::1]:8080'],
  [['192.168.1.20'], 'http://192.168.1.20:8080'],
])('a process that listens on %j reaches itself at %s', (hosts, origin) => {
  expect(ownOrigin({ hosts, port: 8080 })).toBe(origin);
});
