// `npm run build`: compiles all rooms, and packs the program and the web pages. The pages need only two of the rooms
// compiled, so they are built while the others are.
import { npm } from './lib/run.mjs';

const compile = (...rooms) => npm(['exec', '--', 'tsc', '-b', ...rooms], { loud: true });
const pack = (room) => npm(['run', '--silent', 'build', '-w', room], { loud: true });

async function program() {
  return (await compile()) && pack('cli');
}

async function all() {
  if (!(await compile('domain', 'contracts'))) return false;
  const [hasProgram, hasPages] = await Promise.all([program(), pack('web')]);
  return hasProgram && hasPages;
}

process.exitCode = (await all()) ? 0 : 1;
