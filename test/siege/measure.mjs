// Preloaded into the besieged market: on SIGUSR2 it collects garbage and prints the memory in use,
// so that the timing of the garbage collector does not matter.
import { writeSync } from 'node:fs';
import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  let asked = 0;
  process.on('SIGUSR2', () => {
    collect();
    collect();
    const { heapUsed, external, rss } = memoryUsage();
    asked += 1;
    writeSync(2, `measured ${asked}: ${heapUsed + external} ${rss}\n`);
  });
}
