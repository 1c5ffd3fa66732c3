import { ledger } from '@oja/contracts/models';
import { withContext } from '../../runtime/context.js';
import { exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, paint, plural, show } from '../../terminal/output.js';
import { followed } from '../shared/followed.js';
import { projectionsNamed } from '../shared/projections.js';
import { isSound, type LedgerVerdict, verifyLedger } from './ledger.js';
import { isRight, linesOfDifferences, type ModelVerdict, verifyModel } from './model.js';

function linesOfModel(verdict: ModelVerdict): readonly string[] {
  const { projection, version, generation, documents, differences, parked } = verdict;
  const what = `${projection} v${version} g${generation}: ${plural(documents, 'document')}`;
  if (isRight(verdict)) return [`${what}, ${paint.good('equal to a clean rebuild')}`];
  return [
    `${what}, ${paint.bad(`${plural(differences.length, 'difference')}, ${plural(parked.length, 'parked stream')}`)}`,
    ...linesOfDifferences(differences),
    ...parked.map(({ stream, error }) => `  ${stream} is parked: ${error}`),
  ];
}

function linesOfLedger({ unbalanced, wrongSums }: LedgerVerdict): readonly string[] {
  if (isSound({ unbalanced, wrongSums })) return [`the ledger is ${paint.good('balanced')}`];
  return [
    ...unbalanced.map((id) => paint.bad(`the account ${id} is not balanced`)),
    ...wrongSums.map((sum) => paint.bad(`these are not the same: ${sum}`)),
  ];
}

/** Compares the read models with clean rebuilds, and checks the ledger. Exits with 1 if any differs. */
export async function verify(names: readonly string[], options: Output): Promise<void> {
  const chosen = projectionsNamed(names);
  const signal = interruptSignal();
  await withContext(
    async (context) => {
      await followed(context, chosen, signal);
      const models: ModelVerdict[] = [];
      for (const projection of chosen) models.push(await verifyModel(context, projection, signal));
      const withMoney = chosen.some(({ name }) => name === ledger.name);
      const books = withMoney ? await verifyLedger(context) : null;
      const ok = models.every(isRight) && (books === null || isSound(books));
      show<'verify'>(options, { ok, models, ledger: books }, () => [
        ...models.flatMap(linesOfModel),
        ...(books === null ? [] : linesOfLedger(books)),
      ]);
      if (!ok) process.exitCode = exitCodes.failed;
    },
    { moved: true },
  );
}
