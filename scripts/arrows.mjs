// `npm run arrows`: checks every source file against .dependency-cruiser.cjs, and fails when a file was not
// read. Without a compiler that it can use, dependency-cruiser reads no TypeScript and reports nothing wrong.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const { forbidden, options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const { workspaces } = createRequire(import.meta.url)('../package.json');
const SOURCE = /\.tsx?$/;

/** Source files below a folder, with forward slashes as dependency-cruiser names them; none if it is missing. */
function sourcesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

const sources = workspaces.flatMap((room) => [
  ...sourcesIn(`${room}/src`),
  ...sourcesIn(`${room}/test`),
]);
const { output } = await cruise(
  sources,
  { ...options, ruleSet: { forbidden }, validate: true },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);

for (const { rule, from, to } of output.summary.violations) {
  console.error(`${rule.name}: ${from} → ${to}`);
}
// A file that could not be parsed seems to have no dependencies; a whole workspace without any is an error.
const read = new Set(output.modules.map(({ source }) => source));
const unread = sources.filter((source) => !read.has(source));
for (const source of unread) console.error(`not read: ${source}`);
const silent = workspaces.filter((room) => {
  const own = output.modules.filter(({ source }) => source.startsWith(`${room}/src/`));
  return own.length > 1 && own.every(({ dependencies }) => dependencies.length === 0);
});
for (const room of silent) console.error(`nothing was found to be imported in ${room}`);

const bad = output.summary.violations.length + unread.length + silent.length;
console.log(`${sources.length} modules, ${bad} wrong`);
process.exitCode = bad > 0 || sources.length === 0 ? 1 : 0;
