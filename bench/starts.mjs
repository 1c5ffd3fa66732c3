/**
 * Short commands as processes, from start to end, on a market with sample goods. Baseline: a Node that does nothing. All
 * take turns, so that other work on the machine meets them alike, and each figure is a median.
 *
 *   npm run bench -- starts [rounds]
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { line, ms, percentile } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { openMarket, settingsIn } from './lib/market.mjs';

const rounds = Number(process.argv[2] ?? 25);
const oja = join(import.meta.dirname, '../cli/bin/oja.js');
const commands = ['status', 'events tail', 'config', '--help', 'replay --help'].map((words) => ({
  name: `oja ${words}`,
  args: [oja, ...words.split(' ')],
}));
const nothing = { name: 'an empty Node', args: ['-e', '0'] };

/** Runs Node and returns how long it took, in ms. @throws Error when it fails. */
function run({ name, args }, env) {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const took = performance.now() - began;
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return took;
}

await inFolder(async (folder) => {
  const settings = await settingsIn(folder);
  await (await openMarket(settings)).close();
  const env = { ...process.env, ...settings };
  const all = [nothing, ...commands].map((command) => ({ ...command, took: [] }));
  for (let round = 0; round < rounds; round += 1)
    for (const command of all) command.took.push(run(command, env));
  const [base, ...others] = all.map(({ name, took }) => ({ name, value: percentile(took, 0.5) }));
  line(base.name, ms(base.value));
  for (const { name, value } of others)
    line(name, ms(value), { value: value / base.value, of: base.name });
});
