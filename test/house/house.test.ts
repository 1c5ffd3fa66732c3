import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Made by npm, builds and tests, or data of a market that was started here. */
const LEFT_OUT = /^(node_modules|dist|dist-.*|data|coverage|test-results|playwright-report|\.git)$/;

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder === '' ? '.' : folder, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(`${path}/`);
    else yield path;
  }
}

const files = [...filesBelow('')];
const read = (path: string) => readFileSync(path, 'utf8');

interface Manifest {
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const manifest = (path: string): Manifest => JSON.parse(read(path));
const rooms = manifest('package.json').workspaces ?? [];

const SOURCE = /\.(ts|tsx|mts|mjs|js|cjs|css|html)$/;
const sources = files
  .filter((path) => SOURCE.test(path))
  .map((path) => ({ path, text: read(path) }));

describe('packages', () => {
  it('are pinned exactly', () => {
    for (const path of ['package.json', ...rooms.map((room) => `${room}/package.json`)]) {
      const { dependencies = {}, devDependencies = {} } = manifest(path);
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
        expect(version, `${name} in ${path}`).toMatch(/^(npm:[@\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  });
});

describe('the lockfile', () => {
  interface Locked {
    readonly link?: true;
    readonly optional?: true;
    readonly os?: readonly string[];
    readonly integrity?: string;
    readonly resolved?: string;
  }
  const lockfile: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    read('package-lock.json'),
  );
  const locked = Object.entries(lockfile.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link === undefined,
  );

  it('says what is in each package, but of builds for other systems, which npm has not met', () => {
    expect(locked.length).toBeGreaterThan(500);
    const unsaid = locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    const ours = unsaid.filter(([, { optional, os }]) => !optional || os === undefined);
    expect(ours.map(([path]) => path)).toEqual([]);
  });

  it('names no registry, so that it works with any', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

describe('documents', () => {
  const documents = files.filter((path) => path.endsWith('.md'));
  const topFolders = new Set(files.map((path) => path.split('/')[0]));

  /** Texts that look like a path of this repository: `room/…`, in backticks or as a link. */
  function pathsIn(text: string): readonly string[] {
    const quoted = [...text.matchAll(/`([\w.@-]+\/[\w./@-]*)`/g)].map(([, path = '']) => path);
    return quoted.filter((path) => topFolders.has(path.split('/')[0] ?? ''));
  }

  it.each(documents)('%s names only files that are there', (document) => {
    const gone = pathsIn(read(document)).filter((path) => !existsSync(path));
    expect(gone).toEqual([]);
  });

  it.each(documents)('%s links only to files that are there', (document) => {
    const folder = document.includes('/') ? document.slice(0, document.lastIndexOf('/') + 1) : '';
    const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
      ([, to = '']) => to,
    );
    expect(links.filter((to) => !existsSync(`${folder}${to}`))).toEqual([]);
  });

  it('say once where a thing is changed', () => {
    const [, table = ''] = read('docs/architecture.md').split('## Where do I change');
    const rows = [...table.matchAll(/^\| *([^|]+?) *\|/gm)].map(([, what = '']) => what);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row, place) => rows.indexOf(row) !== place)).toEqual([]);
  });
});

describe('sample pictures', () => {
  /** The code that draws the pictures and its assets, in bytes. */
  const MOST_BYTES = 2_000_000;
  const parts = files.filter((path) => /^demo\/(assets|src\/pictures)\//.test(path));

  it('weigh little in the repository', () => {
    const bytes = parts.reduce((sum, path) => sum + statSync(path).size, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('are drawn: no photo lies there', () => {
    const photos = files.filter(
      (path) => path.startsWith('demo/') && /\.(jpe?g|png|webp|avif|gif|heic)$/i.test(path),
    );
    expect(photos).toEqual([]);
  });
});

describe('names', () => {
  const told = 'domain/src/names.ts';
  const kinds = '(?:seller|businessName|product|transaction|review|inbox|contact)';
  const typed = new RegExp(`\`${kinds}[-:]\\$\\{`);
  /** The sandbox imitates another company's system and has ids of its own. */
  const others = /^demo\/src\/paystack-sandbox\//;

  it('of streams, of keys and of who did it are made in one file', () => {
    const byHand = sources.filter(
      ({ path, text }) =>
        /^[a-z-]+\/src\//.test(path) &&
        !/\.test\.tsx?$/.test(path) &&
        path !== told &&
        !others.test(path) &&
        typed.test(text),
    );
    expect(byHand.map(({ path }) => path)).toEqual([]);
    expect(typed.test(read(told))).toBe(true);
  });

  it('of the given HTTP API are in no event, rule or read model', () => {
    const given = /\b(?:recieved|prod_name|filteredRows)\b/;
    const ours = /^(?:domain|projector|platform|http|contracts\/src\/models)\//;
    /** Names what is wrong with a product by the fields of its form. */
    const form = 'domain/src/product/decide.ts';
    const spelled = sources.filter(
      ({ path, text }) =>
        ours.test(path) &&
        path.includes('/src/') &&
        !/\.test\.tsx?$/.test(path) &&
        path !== form &&
        given.test(text),
    );
    expect(spelled.map(({ path }) => path)).toEqual([]);
    expect(given.test(read('contracts/src/schemas/product.ts'))).toBe(true);
  });
});

describe('benches and scripts', () => {
  const imports = /^import\s+(?:\{([^}]*)\}\s+from\s+)?.*?'([^']+)';$/gm;
  const programs = files.filter((path) => /^(?:bench|scripts)\/.*\.mjs$/.test(path));

  it('import only what the rooms and their own libraries export', async () => {
    const wrong: string[] = [];
    for (const path of programs) {
      for (const [, names = '', from = ''] of read(path).matchAll(imports)) {
        if (!/^(?:\.|@oja\/)/.test(from)) continue;
        const there = from.startsWith('.') ? join(process.cwd(), dirname(path), from) : from;
        const found: object = await import(there).catch(() => ({}));
        const missing = names
          .split(',')
          .map((name) => name.trim().split(' ')[0] ?? '')
          .filter((name) => name !== '' && !(name in found));
        if (missing.length > 0) wrong.push(`${path}: ${missing.join(', ')} of ${from}`);
      }
    }
    expect(programs.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });
});

describe('style sheets', () => {
  const sheets = sources.filter(({ path }) => path.endsWith('.css'));
  /** As the build names them: `price` in `Price.module.css` is `Price-price`. */
  const named = new Set(
    sheets.flatMap(({ path, text }) =>
      [...text.matchAll(/\.([a-z]\w*)/gi)].map(
        ([, name]) => `${basename(path, '.module.css')}-${name}`,
      ),
    ),
  );

  it('style of other sheets only the classes that these have', () => {
    const unknown = sheets.flatMap(({ path, text }) =>
      [...text.matchAll(/\.([a-z]\w*-\w+)/gi)]
        .filter(([, name = '']) => !named.has(name))
        .map(([, name]) => `${path}: ${name}`),
    );
    expect(named.size).toBeGreaterThan(500);
    expect(unknown).toEqual([]);
  });
});

describe('unit tests of the services', () => {
  it('mock no module, which the files that run after them in the same process would meet or miss', () => {
    const mocks = /\bvi\.(?:mock|doMock)\(/;
    const mocking = sources.filter(
      ({ path, text }) => /\.test\.ts$/.test(path) && !path.startsWith('web/') && mocks.test(text),
    );
    expect(mocking.map(({ path }) => path)).toEqual([]);
    expect(mocks.test(['vi', "mock('node:os')"].join('.'))).toBe(true);
  });
});
