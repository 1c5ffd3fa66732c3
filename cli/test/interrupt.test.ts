import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { lazyAction } from '../src/terminal/interrupt.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

beforeAll(async () => {
  expect(await (await openSampleMarket(folder.path)).stop()).toBe(0);
}, 60_000);

const interrupt = new URL('../dist/terminal/interrupt.js', import.meta.url).href;

const PRESS = "process.kill(process.pid, 'SIGINT');";
/** Code is loaded, and a market opened, partly without a pause. */
const BUSY = 'for (const until = performance.now() + 200; performance.now() < until; );';

/** Runs an action that is loaded and acts in this way. Returns the exit code, or the signal that ended it, and what it said. */
async function ran(loads: string, acts: string) {
  const script = `
    const { interruptSignal, lazyAction } = await import(${JSON.stringify(interrupt)});
    const act = async () => {
      ${acts}
      await new Promise((done) => setTimeout(done, 5_000));
      console.log('done');
    };
    await lazyAction(async () => {
      await new Promise(setImmediate);
      ${loads}
      return act;
    })();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text;
    });
  const [code, by] = await once(child, 'close');
  return { ended: code ?? by, said };
}

it('Ctrl-C while the code of a command is loaded ends it before it does anything', async () => {
  const stopped = { ended: 'SIGINT', said: 'Stopped before anything was done.\n' };
  expect(await ran(PRESS + BUSY, "console.log('begun');")).toEqual(stopped);
});

it('Ctrl-C just before a command listens for it is heard by the command', async () => {
  const stops =
    "interruptSignal().addEventListener('abort', () => { console.log('stops'); process.exit(1); });";
  expect(await ran('', PRESS + BUSY + stops)).toEqual({ ended: 1, said: 'stops\n' });
});

it('Ctrl-C ends a command that does not listen for it, and a loop of the shell around it', async () => {
  expect(await ran('', PRESS + BUSY)).toEqual({ ended: 'SIGINT', said: '' });
});

it('Ctrl-C at any moment of the first half second ends a command', async () => {
  for (let ms = 50; ms < 500; ms += 50) {
    const running = runOja(['events', 'tail', '--follow'], { DATA_DIR: folder.path });
    await wait(ms);
    void running.stop();
    const ended = await Promise.race([running.exited.then(() => true), wait(20_000, false)]);
    if (!ended) void running.kill();
    expect(ended, `after ${ms} ms`).toBe(true);
  }
}, 240_000);

it('is listened for once, however many commands a process runs', async () => {
  const before = process.listenerCount('SIGINT');
  const command = lazyAction(async () => async () => {});
  await command();
  await command();
  expect(process.listenerCount('SIGINT')).toBe(before + 1);
});
