import { runSiege } from './run.js';

const MOST_MINUTES = 60;
const LEAST_CALM_MS = 5_000;
const MOST_CALM_MS = 60_000;

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
  console.error(`It takes minutes, above 0 and at most ${MOST_MINUTES}: npm run siege -- 30`);
  process.exit(2);
}
// Exit normally on a signal, so that exit handlers run.
process.once('SIGTERM', () => process.exit(143));
process.once('SIGINT', () => process.exit(130));
const duringMs = minutes * 60_000;
const { wrong } = await runSiege({
  duringMs,
  calmMs: Math.min(MOST_CALM_MS, Math.max(LEAST_CALM_MS, duringMs / 10)),
  waitsForHolders: true,
  say: (line) => console.log(line),
});
const stands = wrong.length === 0;
console.log(stands ? 'The market stands.' : `The market does not stand: ${wrong.join('; ')}.`);
process.exitCode = stands ? 0 : 1;
