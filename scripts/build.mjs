// `npm run build`: compiles all rooms, and packs the program and the web pages. The pages need only two of the rooms
// compiled, so they are built while the others are.
import { join } from 'node:path';
import { keepUsed } from '../cli/bin/code-cache.js';
import { npm } from './lib/run.mjs';

const compile = (...rooms) => npm(['exec', '--', 'tsc', '-b', ...rooms], { loud: true });
const pack = (room) => npm(['run', '--silent', 'build', '-w', room], { loud: true });

async function program() {
  return (await compile()) && pack('cli');
}

async function all() {
  if (!(await compile('domain', 'contracts'))) return false;
  const [hasProgram, hasPages] = await Promise.all([program(), pack('web')]);
  if (hasPages) await compileRenderer();
  return hasProgram && hasPages;
}

/** Keeps compiled code of what renders pages, which is a tenth of a start: what a page without goods runs of it. */
const compileRenderer = () =>
  keepUsed(join(import.meta.dirname, '../web/dist-server/server.cjs'), ({ createRenderer }) =>
    createRenderer(() => Promise.reject(new Error('no goods')))('/about'),
  );

process.exitCode = (await all()) ? 0 : 1;
