import { requireNode } from './node-version.mjs';

/**
 * Builds what a long test needs, then runs it with the arguments of this process. `name` is its folder in `test`,
 * `doing` what it does, for messages; `flags` are for Node.
 */
export async function longTest(name, doing, flags = []) {
  requireNode();
  const { prepare } = await import('./prepare.mjs');
  const { run } = await import('./run.mjs');
  await prepare(doing);
  const loud = { loud: true };
  const program = [...flags, `dist/${name}/main.js`, ...process.argv.slice(2)];
  const isDone =
    (await run('npx', ['--no-install', 'tsc', '-b', `test/${name}`], loud)) &&
    (await run(process.execPath, program, loud));
  process.exitCode = isDone ? 0 : 1;
}
