// Empties the WAL of a file on a small disk, without and with the room for it, and says what becomes of that and of a write.
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startWriter, truncateWal, whyStopped } from '@oja/platform';

const disk = process.argv[2];
const file = join(disk, 'notes');
const notes = new URL('./notes.mjs', import.meta.url);
const { schema } = await import(notes.href);
const writer = await startWriter(notes, { schema, file, synchronous: 'FULL' });

async function say(what, asked) {
  const became = await asked.catch(({ name, permanent }) => `${name}, permanent: ${permanent}`);
  const takes = whyStopped(file) === null ? 'takes writes' : 'takes no writes';
  console.log(`${what}: ${became}; ${takes}`);
}
const note = (text) => writer.write('note', { text });

await note('x'.repeat(400_000));
const { bavail, bsize } = statfsSync(disk);
const filler = join(disk, 'filler');
writeFileSync(filler, Buffer.alloc(bavail * bsize - 100_000, 1));
await say('emptied by another process', truncateWal(file));
await say('emptied', writer.truncateWal(0));
rmSync(filler);
const until = performance.now() + 10_000;
while (whyStopped(file) !== null && performance.now() < until) await wait(10);
await say('written', note('a'));
await say('emptied', writer.truncateWal(0));
await writer.close();
