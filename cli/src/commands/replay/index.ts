import type { Projection } from '@oja/projector';
import type { Command } from 'commander';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';
import { withGround } from '../../market/withGround.js';
import { type Confirmed, confirm } from '../../terminal/confirm.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { nearestOf } from '../../terminal/nearest.js';
import { type Output, plural, say, show, span } from '../../terminal/output.js';
import { projectionNamed, projectionNames } from '../shared/projections.js';
import { linesOfDifferences } from '../verify/differences.js';
import { build } from './build.js';
import { differenceOf, generationsOf } from './difference.js';
import { replayEnded } from './pending.js';
import { planReplay } from './plan.js';
import { repairStream } from './repairStream.js';
import { cleaned, cleanedVersions, turnBack, turnTo } from './turn.js';
import { watchReplay } from './watch.js';
import { replayWhole } from './whole.js';

type Options = Output & Confirmed & { readonly stream?: string };
type Step = (
  ground: Ground,
  projection: Projection,
  options: Options,
  signal: AbortSignal,
) => Promise<void>;

const steps: Readonly<Record<string, Step>> = {
  async plan(ground, projection, options, signal) {
    const plan = await planReplay(ground, projection, signal);
    show(options, plan, () => [
      `${plan.projection} v${plan.version} reads ${plan.read} of ${plural(plan.events, 'event')}; a replay takes about ${span(plan.seconds)}.`,
    ]);
  },
  async start(ground, projection, options, signal) {
    const generation = await build(ground, projection, signal);
    show(options, { projection: projection.name, generation }, () => [
      `Generation ${generation} of ${projection.name} is built beside the live one; next: oja replay verify ${projection.name}`,
    ]);
  },
  async watch(ground, projection, options, signal) {
    const generations = await watchReplay(ground, projection, signal);
    show(options, generations, () =>
      generations.map(
        ({ generation, role, lag }) =>
          `generation ${generation} (${role}): ${plural(lag.events, 'event')} behind`,
      ),
    );
  },
  async verify(ground, projection, options, signal) {
    const generations = await generationsOf(ground, projection);
    const found = await differenceOf(ground, projection, generations, signal);
    const { live, next } = generations;
    const ok = found.differences.length === 0;
    show(options, { ok, ...generations, ...found }, () => [
      ok
        ? `Generation ${next} is equal to the live generation ${live}: ${plural(found.documents, 'document')}.`
        : `Generation ${next} differs from the live generation ${live} in ${plural(found.differences.length, 'document')}:`,
      ...linesOfDifferences(found.differences),
    ]);
    if (!ok) process.exitCode = exitCodes.failed;
  },
  async switch(ground, projection, options) {
    const { next } = await generationsOf(ground, projection);
    const turned = await turnTo(ground, projection, next);
    await replayEnded(ground, projection);
    show(options, turned, () => [
      `${projection.name} is read from generation ${turned.to}; oja replay rollback goes back to ${turned.from}.`,
    ]);
  },
  async rollback(ground, projection, options) {
    const turned = await turnBack(ground, projection);
    show(options, turned, () => [`${projection.name} is read from generation ${turned.to} again.`]);
  },
  async clean(ground, projection, options) {
    await confirm(
      `Every generation of ${projection.name} but the live one will be deleted, and every version that another release has built; a rollback is not possible then, and a release that still reads its version would wait until that is built anew.`,
      options,
    );
    const generations = await cleaned(ground, projection);
    const versions = await cleanedVersions(ground, projection);
    const parts = [
      ...(generations.length > 0 ? [`generation ${generations.join(', ')}`] : []),
      ...(versions.length > 0 ? [`version ${versions.join(', ')}`] : []),
    ];
    show(options, { generations, versions }, () => [
      parts.length === 0 ? 'There was nothing to clean.' : `Deleted: ${parts.join(' and ')}.`,
    ]);
  },
};

async function replay(first: string, second: string | undefined, options: Options): Promise<void> {
  const step = second === undefined ? undefined : steps[first];
  if (second !== undefined && step === undefined) {
    const hint = nearestOf(first, Object.keys(steps));
    throw new Exit(exitCodes.usage, `There is no step '${first}' of a replay${hint}.`);
  }
  if (second === undefined && Object.hasOwn(steps, first))
    throw new Exit(exitCodes.usage, `Say which projection: ${projectionNames.join(', ')}.`);
  const projection = projectionNamed(second ?? first);
  const signal = interruptSignal();
  await withGround(async (ground) => {
    if (step !== undefined) return step(ground, projection, options, signal);
    if (options.stream !== undefined) {
      const repaired = await repairStream(ground, projection, options.stream, signal);
      return show(options, { repaired }, () => [
        `${plural(repaired.length, 'document')} put right.`,
        ...repaired.map(({ collection, id }) => `  ${collection} ${id}`),
      ]);
    }
    const tell = options.json ? () => {} : say;
    const replayed = await replayWhole(ground, projection, signal, tell);
    if (options.json) show(options, replayed, () => []);
  });
}

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .description(
      'build a read model anew from the log, beside the live one, while the market sells',
    )
    .argument(
      '<step|projection>',
      `${Object.keys(steps).join(', ')}; or a projection for all of it`,
    )
    .argument('[projection]', projectionNames.join(', '))
    .option('--stream <id>', "repair the documents of one stream, with a projection's name alone")
    .option('--yes', 'clean without being asked')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Steps:
  plan      how many events, and about how long
  start     build the next generation beside the live one; run again, it goes on
  watch     how far it has come
  verify    compare it with the live one, document by document; exit 1 at a difference
  switch    make it live: one write
  rollback  go back to the one before
  clean     delete all but the live one, also what another release has built

Examples:
  oja replay catalogue                     all of it; stops at a difference
  oja replay plan catalogue
  oja replay ledger --json
  oja replay catalogue --stream product-0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a
`,
    )
    .action(replay);
}
