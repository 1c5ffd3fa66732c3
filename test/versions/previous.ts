import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const MODULES = 'node_modules';
/** The scope of our own packages. */
const OURS = '@oja';
/** The pages need a build of their own and have tests of their own. */
const PAGES = 'web';

/** A previous release, from the git history. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  /** The folders of its packages, without the pages. */
  readonly rooms: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Runs git.
 * @throws Error when git fails
 */
const git = (args: readonly string[], env: Readonly<Record<string, string>> = {}): string =>
  execFileSync('git', args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** Null when git fails or prints nothing. */
function asked(...args: readonly string[]): string | null {
  try {
    return git(args) || null;
  } catch {
    return null;
  }
}

/**
 * The commit of the release's tag, or else the one that added its heading to the changelog; null if
 * the history is too short.
 */
function commitOf(version: string, heading: string): string | null {
  const tagged = asked('rev-parse', '--verify', '--quiet', `v${version}^{commit}`);
  if (tagged !== null) return tagged;
  // In a shallow clone the first commit seems to have written everything.
  if (asked('rev-parse', '--is-shallow-repository') !== 'false') return null;
  const wrote = asked('log', '--format=%H', `-S${heading}`, '--', 'CHANGELOG.md');
  return wrote?.split('\n').at(-1) ?? null;
}

/** Whether a version can stand in for the wanted one: the same, or a later one that promises to be compatible. */
function canStandIn(version: string, wanted: string): boolean {
  const partsOf = (text: string) => text.split('.').map(Number);
  const [major = 0, minor = 0, patch = 0] = partsOf(version);
  const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = partsOf(wanted);
  if (major !== wantedMajor || (major === 0 && minor !== wantedMinor)) return false;
  return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch);
}

/** A room's own node_modules holds the packages it needs in another version than the root. */
function isInstalled(room: string, name: string, wanted: string): boolean {
  const places = [join(ROOT, room, MODULES, name), join(ROOT, MODULES, name)];
  const place = places.find((path) => existsSync(path));
  return place !== undefined && canStandIn(manifestIn(place).version, wanted);
}

/** The newest release in the changelog, or a sentence that says why it cannot be built here. */
export function previousRelease(): Release | string {
  const changes = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const [heading, version] = /^## (\d+\.\d+\.\d+)$/m.exec(changes) ?? [];
  if (heading === undefined || version === undefined) return 'nothing was released yet';
  const commit = commitOf(version, heading);
  if (commit === null) return `the history here does not go back to ${version}`;
  const manifestOf = (folder: string): Manifest =>
    JSON.parse(git(['show', `${commit}:${folder}package.json`]));
  const rooms = (manifestOf('').workspaces ?? []).filter((room) => room !== PAGES);
  const missing = rooms.flatMap((room) =>
    Object.entries(manifestOf(`${room}/`).dependencies ?? {})
      .filter(([name, wanted]) => !name.startsWith(`${OURS}/`) && !isInstalled(room, name, wanted))
      .map(([name, wanted]) => `${name} ${wanted}`),
  );
  if (missing.length === 0) return { version, commit, rooms };
  return `${version} asks for what is not installed here: ${missing.join(', ')}`;
}

/** Links the packages installed here into the folder; our own packages are the folder's. */
function linkModules(rooms: readonly string[], folder: string): void {
  const link = (path: string, to: string) => {
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(realpathSync(path), to);
  };
  const modules = join(folder, MODULES);
  for (const name of readdirSync(join(ROOT, MODULES)))
    if (!name.startsWith('.') && name !== OURS)
      link(join(ROOT, MODULES, name), join(modules, name));
  for (const room of rooms) {
    link(join(folder, room), join(modules, manifestIn(join(folder, room)).name));
    const own = join(ROOT, room, MODULES);
    if (existsSync(own)) link(own, join(folder, room, MODULES));
  }
}

/** Only strips types, which takes seconds: they were checked at the release. */
function compile(room: string): void {
  const sources = join(room, 'src');
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(sources, name), 'utf8'), {
      fileName: name,
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    });
    const to = join(room, 'dist', name.replace(/ts$/, 'js'));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, outputText);
  }
}

const EMPTY_PAGE = '<!doctype html><html><head></head><body><div id="root"></div></body></html>';

/**
 * Builds the release into an empty folder from its own sources and the packages installed here.
 * Returns the path of its `oja`.
 */
export function buildRelease({ commit, rooms }: Release, folder: string): string {
  const index = { GIT_INDEX_FILE: join(folder, 'index') };
  git(['read-tree', commit], index);
  git(['checkout-index', '--all', `--prefix=${folder}/`], index);
  linkModules(rooms, folder);
  for (const room of rooms) compile(join(folder, room));
  const page = join(folder, PAGES, 'dist', 'index.html');
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, EMPTY_PAGE);
  return join(folder, 'cli/bin/oja.js');
}

/** Defines tests against the previous release; if it cannot be built here, a skipped test says why. */
export function besidePrevious(what: string, layOut: (release: Release) => void): void {
  const previous = previousRelease();
  if (typeof previous !== 'string') layOut(previous);
  else
    describe(what, () => {
      it.skip(`not tried beside the release before: ${previous}`);
    });
}
