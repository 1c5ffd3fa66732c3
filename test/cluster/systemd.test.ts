import { execFile, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { haveProgram } from '../../platform/test/contracts/programs.js';
import { freePort, temporaryFolder } from '../support/market.js';
import { missingNginx, runNginx } from '../support/nginx.js';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const hasSystemd = await haveProgram('systemd-analyze', {
  versionFlag: '--version',
  debian: 'systemd',
});
if (!hasSystemd) process.stdout.write('skipped: the unit, for there is no systemd-analyze here\n');

const folder = temporaryFolder();
const at = (path: string) => join(folder.path, path);
afterAll(() => folder.remove());

/** Debian's user `nobody`, if we are root and it can read the checkout; else the current user. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const nobodyReads = isRoot && spawnSync('ls', [join(ROOT, 'cli/dist')], NOBODY).status === 0;
const plainUser: SpawnOptions = nobodyReads ? NOBODY : {};
if (isRoot && !nobodyReads)
  process.stdout.write('skipped: a plain user, for none can read this checkout\n');

/**
 * The commands of the guide, redirected into this folder: the machine's users, root files and
 * systemd are not touched.
 */
function steps(): string {
  const guide = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
  const [, section = ''] = guide.split('## One machine with systemd');
  return [
    ...section
      .split('\n## ', 1)
      .join('')
      .matchAll(/```sh\n([\s\S]*?)```/g),
  ]
    .map(([, block = '']) => block)
    .join('')
    .replace(/ (\/(?:etc|usr\/local)\/|\/var\/lib\/oja$)/gm, ` ${folder.path}$1`);
}
const ELSEWHERE = `set -eu
sudo() { "$@"; }
useradd() { echo "useradd $*"; }
systemctl() { echo "systemctl $*"; }
oja() { echo "oja $*"; }
install() {
  all="$*"
  eval "command install $(echo "$all" | sed 's/-o [a-z]* -g oja//')"
}
`;

const SUDO = `#!/bin/sh
names=''
while [ "$1" != -- ]; do
  case "$1" in --preserve-env=*) names="\${1#*=}" ;; esac
  shift
done
shift
for name in $(echo "$names" | tr , ' '); do
  if value="$(printenv "$name")"; then set -- "$name=$value" "$@"; fi
done
exec env -i "PATH=$PATH" IS_OJA=1 "$@"
`;

/** Replaces paths, port and provider in an installed file by the test's own. */
function adapt(path: string, ...changes: readonly (readonly [string, string])[]): void {
  const text = changes.reduce(
    (now, [from, to]) => {
      expect(now, path).toContain(from);
      return now.replaceAll(from, to);
    },
    readFileSync(at(path), 'utf8'),
  );
  writeFileSync(at(path), text);
}

let said = '';
beforeAll(async () => {
  for (const path of ['usr/local/bin', 'etc/systemd/system', 'bin'])
    mkdirSync(at(path), { recursive: true });
  const { stdout } = await run('sh', ['-c', ELSEWHERE + steps()], {
    cwd: ROOT,
    env: { ...process.env, PAYSTACK_SECRET: 'sk_test_of_the_guide' },
  });
  said = stdout;
  adapt(
    'etc/oja/oja.env',
    ['/etc/oja/', `${at('etc/oja')}/`],
    ['/var/lib/oja', at('var/lib/oja')],
    ['PORT=8080', `PORT=${await freePort()}\nPAYSTACK_URL=http://127.0.0.1:9`],
  );
  adapt(
    'usr/local/bin/oja',
    ['/etc/oja/oja.env', at('etc/oja/oja.env')],
    ['/opt/oja/', `${ROOT}/`],
    ['/usr/bin/node', process.execPath],
  );
  // Stubs: `sudo` marks the process and, as env_reset does, drops all variables that it is not told to preserve; `id`
  // reports user oja for marked ones.
  writeFileSync(at('bin/sudo'), SUDO, { mode: 0o755 });
  writeFileSync(at('bin/id'), `#!/bin/sh\n[ -n "\${IS_OJA:-}" ] && echo oja || echo ada\n`, {
    mode: 0o755,
  });
  if (!nobodyReads) return;
  const { stdout: all } = await run('find', [folder.path]);
  for (const path of all.trim().split('\n')) chownSync(path, NOBODY.uid, NOBODY.gid);
});

describe('the steps for one machine', () => {
  it('make a user, secrets that nobody else reads, and a unit that is started', () => {
    expect(said.trim().split('\n')).toEqual([
      'useradd --system --home-dir /var/lib/oja --shell /usr/sbin/nologin oja',
      'systemctl daemon-reload',
      'systemctl enable --now oja@market',
      'oja status',
      'systemctl daemon-reload',
      'systemctl disable --now oja@market',
      'systemctl enable --now oja@projector oja@command-service oja@query-service oja-edge',
    ]);
    expect(statSync(at('etc/oja')).mode & 0o777).toBe(0o750);
    // A restore and a move in come before the first start, at which systemd would make the folder.
    expect(statSync(at('var/lib/oja'), { throwIfNoEntry: false })?.mode).toBe(0o40700);
    for (const name of ['token-secret', 'keys-master-key', 'paystack-secret', 'oja.env'])
      expect(statSync(at(`etc/oja/${name}`)).mode & 0o777, name).toBe(0o640);
    const made = ['token-secret', 'keys-master-key'].map((name) =>
      readFileSync(at(`etc/oja/${name}`), 'utf8'),
    );
    for (const text of made) expect(text).toMatch(/^[0-9a-f]{64}\n$/);
    expect(made[0]).not.toBe(made[1]);
  });

  it('open a market as a plain user, which oja reaches with the same settings', async () => {
    const unit = readFileSync(at('etc/systemd/system/oja@.service'), 'utf8');
    const [, command = ''] = /^ExecStart=\/usr\/bin\/node (.*) \$OJA_SERVICE$/m.exec(unit) ?? [];
    const settings = readFileSync(at('etc/oja/oja.env'), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2));
    const PATH = `${at('bin')}:${process.env.PATH}`;
    const market = spawn(process.execPath, command.split(' '), {
      ...plainUser,
      cwd: ROOT,
      env: { PATH, ...Object.fromEntries(settings) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise((resolve) => market.once('close', resolve));
    try {
      let open = false;
      for await (const line of createInterface({ input: market.stdout })) {
        open = line.startsWith('Oja is open at https://market.example');
        if (open) break;
      }
      expect(open).toBe(true);
      const typed = await run(at('usr/local/bin/oja'), ['status', '--json'], {
        ...(nobodyReads ? NOBODY : {}),
        env: { PATH },
      });
      expect(JSON.parse(typed.stdout)).toMatchObject({ running: true, demo: false });
      expect(statSync(at('var/lib/oja')).mode & 0o777).toBe(0o700);
    } finally {
      market.stdout.resume();
      market.kill('SIGTERM');
    }
    expect(await exited).toBe(0);
  }, 120_000);
});

const missing = await missingNginx();
if (missing) console.info(`not run: the edge of such a machine (${missing})`);

it.skipIf(missing)(
  'the proxy of the steps brings each call to the service at its port',
  async () => {
    const portOf = (service: string) =>
      /^PORT=(\d+)$/m.exec(readFileSync(at(`etc/oja/${service}.env`), 'utf8'))?.[1] ?? '';
    const servers = ['command-service', 'query-service'].map((name) => ({
      port: portOf(name),
      server: createServer((_, answer) => answer.end(name)).listen(0, '127.0.0.1'),
    }));
    await Promise.all(servers.map(({ server }) => once(server, 'listening')));
    const edge = await runNginx(({ port, folder: own }) =>
      servers.reduce(
        (config, { port: documented, server }) => {
          const found = `server 127.0.0.1:${documented} `;
          expect(config).toContain(found);
          const address = server.address();
          if (typeof address !== 'object' || address === null)
            throw new Error('it does not listen');
          return config.replace(found, `server 127.0.0.1:${address.port} `);
        },
        readFileSync(at('etc/oja/edge.conf'), 'utf8')
          .replace('listen 127.0.0.1:8080;', `listen 127.0.0.1:${port};`)
          .replaceAll('/run/oja-edge', own),
      ),
    );
    const ask = async (method: string, path: string) =>
      (await fetch(`http://127.0.0.1:${edge.port}${path}`, { method })).text();
    expect(await ask('POST', '/v1/login')).toBe('command-service');
    expect(await ask('GET', '/v1/products/search')).toBe('query-service');
    await edge.close();
    for (const { server } of servers) server.close();
  },
);

describe('the oja of such a machine', () => {
  /** What a command gets to see of a settings file, typed with the variables `given`. */
  async function settingsOf(
    text: string,
    given: Readonly<Record<string, string>> = {},
  ): Promise<Readonly<Record<string, string>>> {
    writeFileSync(at('any.env'), text);
    writeFileSync(at('environment.mjs'), 'console.log(JSON.stringify(process.env));\n');
    const script = readFileSync(join(ROOT, 'deploy/systemd/oja'), 'utf8')
      .replace('/etc/oja/oja.env', at('any.env'))
      .replaceAll('/etc/oja/backup.env', at('nowhere.env'))
      .replace('/usr/bin/node', process.execPath)
      .replace('/opt/oja/cli/bin/oja.js', at('environment.mjs'));
    writeFileSync(at('any-oja'), script, { mode: 0o755 });
    const env = { ...given, PATH: `${at('bin')}:${process.env.PATH}` };
    const { stdout } = await run(at('any-oja'), [], { env });
    return JSON.parse(stdout);
  }

  const SETTINGS = `DATA_DIR=/var/lib/oja
PORT=8080
PUBLIC_URL=https://market.example
BACKUP_KEY_FILE=/etc/oja/backup.key`;

  it('acts on the folder, the port and the key of backups that it is given', async () => {
    const given = {
      DATA_DIR: '/tmp/a drill',
      PORT: '8099',
      BACKUP_KEY_FILE: '/etc/oja/other.key',
      BACKUP_KEY: 'AGE-SECRET-KEY-1',
    };
    expect(await settingsOf(SETTINGS, given)).toMatchObject({ ...given, OJA_OPERATOR: 'ada' });
  });

  it('has all else from its settings, whatever the shell of the user holds', async () => {
    const shell = { DATA_DIR: '', PUBLIC_URL: 'http://localhost', NODE_OPTIONS: '--no-warnings' };
    const seen = await settingsOf(SETTINGS, shell);
    expect(seen).toMatchObject({
      DATA_DIR: '/var/lib/oja',
      PORT: '8080',
      PUBLIC_URL: 'https://market.example',
      BACKUP_KEY_FILE: '/etc/oja/backup.key',
    });
    expect(seen).not.toHaveProperty('NODE_OPTIONS');
  });

  it('reads the settings as systemd does, and runs nothing of them', async () => {
    const given = String.raw`# a comment with 'a quote
; another
MONGODB_URL=mongodb://db/oja?replicaSet=rs0&w=majority
SUPPORT_ADDRESS=1 Market Road, Yaba${'  '}
  DROP_OFF_ADDRESS = 2 Market Road
SMTP_URL=smtp://a#b:c@mail # no comment
DOLLAR=$HOME$(touch ${at('run')})
INNER=Ada's "goods"
DOUBLE="1 \"Market\" Road \$5 \n"
SINGLE='it is \n $HOME'
ESCAPED=a\ b\\c
CONTINUED=one \
two
LINES="one
two"
EMPTY=
1BAD=x
BAD-NAME=x
no setting
LAST=Ọjà`;
    expect(await settingsOf(given)).toMatchObject({
      MONGODB_URL: 'mongodb://db/oja?replicaSet=rs0&w=majority',
      SUPPORT_ADDRESS: '1 Market Road, Yaba',
      DROP_OFF_ADDRESS: '2 Market Road',
      SMTP_URL: 'smtp://a#b:c@mail # no comment',
      DOLLAR: `$HOME$(touch ${at('run')})`,
      INNER: `Ada's "goods"`,
      DOUBLE: String.raw`1 "Market" Road $5 \n`,
      SINGLE: String.raw`it is \n $HOME`,
      ESCAPED: String.raw`a b\c`,
      CONTINUED: 'one two',
      LINES: 'one\ntwo',
      EMPTY: '',
      LAST: 'Ọjà',
    });
    expect(existsSync(at('run'))).toBe(false);
  });
});

describe.skipIf(!hasSystemd).each(['oja@market.service', 'oja-backup.service', 'oja-edge.service'])(
  '%s',
  (name) => {
    /** Writes the unit with paths that exist here, because systemd-analyze checks them. */
    function unit(): string {
      const path = at(name);
      const text = readFileSync(join(ROOT, 'deploy/systemd', name.replace('@market', '@')), 'utf8');
      writeFileSync(
        path,
        text
          .replace('/usr/bin/node', process.execPath)
          .replace('/opt/oja', folder.path)
          // systemd-analyze only asks whether there is such a program.
          .replace('/usr/sbin/nginx', process.execPath),
      );
      chmodSync(path, 0o644);
      return path;
    }

    it('is what systemd takes, without a word', async () => {
      const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit()]);
      expect(stdout + stderr).toBe('');
    });

    it('leaves little of the machine open', async () => {
      const args = ['security', '--offline=true', '--no-pager', '--threshold=20', unit()];
      const { stdout } = await run('systemd-analyze', args);
      expect(stdout).toContain(`Overall exposure level for ${name}: 1.`);
    });
  },
);

it.skipIf(!hasSystemd)('the backup is made every night, in Lagos', async () => {
  const timer = readFileSync(join(ROOT, 'deploy/systemd/oja-backup.timer'), 'utf8');
  const [, when = ''] = /^OnCalendar=(.*)$/m.exec(timer) ?? [];
  const { stdout } = await run('systemd-analyze', ['calendar', when]);
  expect(stdout).toMatch(/ 01:00:00 UTC/);
});
