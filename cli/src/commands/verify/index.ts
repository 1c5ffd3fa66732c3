import { ledger } from '@oja/contracts/models';
import { CopyPoisoned } from '@oja/projector';
import { withContext } from '../../runtime/context.js';
import { refuseDamaged } from '../../runtime/open-data.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Output, paint, plural, printAnswer } from '../../terminal/output.js';
import { projectionsNamed } from '../shared/named.js';
import { tryWaitForModels } from '../shared/wait-for-models.js';
import { isSound, type LedgerVerdict, verifyLedger } from './ledger.js';
import { isRight, linesOfDifferences, type ModelVerdict, verifyModel } from './model.js';

function linesOfModel(verdict: ModelVerdict): readonly string[] {
  const { projection, version, generation, documents, differences, parked } = verdict;
  const what = `${projection} v${version} g${generation}: ${plural(documents, 'document')}`;
  if (isRight(verdict)) return [`${what}, ${paint.good('equal to a clean rebuild')}`];
  return [
    `${what}, ${paint.bad(`${plural(differences.length, 'difference')}, ${plural(parked.length, 'parked stream')}`)}`,
    ...linesOfDifferences(differences),
    ...parked.map(
      ({ stream, error, holdsAll }) =>
        `  ${holdsAll ? `it has stopped at ${stream}` : `${stream} is parked`}: ${error} (oja quarantine show ${projection} ${stream})`,
    ),
  ];
}

function linesOfLedger({ unbalanced, wrongSums }: LedgerVerdict): readonly string[] {
  if (isSound({ unbalanced, wrongSums })) return [`the ledger is ${paint.good('balanced')}`];
  return [
    ...unbalanced.map((id) => paint.bad(`the account ${id} is not balanced`)),
    ...wrongSums.map((sum) => paint.bad(`these are not the same: ${sum}`)),
  ];
}

/** The reason of a failure that concerns one read model, so that the others can be checked. @throws any other one. */
function failureReason(error: unknown): string {
  if (error instanceof Exit) return error.message;
  if (error instanceof CopyPoisoned) return `${error.message}.`;
  throw error;
}

/**
 * Compares the read models with clean rebuilds, and checks the ledger. One that cannot be checked keeps no other from
 * being checked. Exits with 1 if any differs or could not be checked.
 */
export async function verify(names: readonly string[], options: Output): Promise<void> {
  const chosen = projectionsNamed(names);
  const signal = interruptSignal();
  await withContext(
    async (context) => {
      // Nothing below reads the indexes of the searches.
      refuseDamaged(context.config, { whole: true });
      const stuck = await tryWaitForModels(context, chosen, signal);
      const models: ModelVerdict[] = [];
      const unverified: { readonly projection: string; readonly why: string }[] = [];
      for (const projection of chosen) {
        const { name } = projection;
        try {
          const verdict = await verifyModel(context, projection, signal);
          models.push(verdict);
          const why = stuck.get(name);
          // What stops it is among its parked streams otherwise.
          if (why !== undefined && isRight(verdict)) unverified.push({ projection: name, why });
        } catch (error) {
          unverified.push({ projection: name, why: failureReason(error) });
        }
      }
      const withMoney = chosen.some(({ name }) => name === ledger.name);
      const books = withMoney
        ? await verifyLedger(context).catch((error: unknown) => {
            unverified.push({ projection: ledger.name, why: failureReason(error) });
            return null;
          })
        : null;
      const ok =
        unverified.length === 0 && models.every(isRight) && (books === null || isSound(books));
      printAnswer<'verify'>(options, { ok, models, unverified, ledger: books }, () => [
        ...models.flatMap(linesOfModel),
        ...unverified.map(({ projection, why }) =>
          paint.bad(`${projection} could not be checked: ${why}`),
        ),
        ...(books === null ? [] : linesOfLedger(books)),
      ]);
      if (!ok) process.exitCode = exitCodes.failed;
    },
    { mayBeMoved: true },
  );
}
