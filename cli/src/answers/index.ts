import { z } from 'zod';
import { folderAnswers } from './folder.js';
import { logAnswers } from './log.js';
import { marketAnswers } from './market.js';
import { peopleAnswers } from './people.js';
import { readModelAnswers, type replaySteps } from './read-models.js';
import { watchAnswers } from './watch.js';

/** `perLine`: one JSON text per line, each matching the schema; otherwise a single JSON text. */
interface AnswerForm {
  readonly schema: z.ZodType;
  readonly perLine?: true;
}

const all = {
  ...watchAnswers,
  ...marketAnswers,
  ...readModelAnswers,
  ...logAnswers,
  ...folderAnswers,
  ...peopleAnswers,
} as const satisfies Readonly<Record<string, AnswerForm>>;

/** What each command prints with --json, by its full name ('backup list'). */
export const answers: Readonly<Record<string, AnswerForm>> = all;

/** What a failing command writes to standard error with --json. */
export const failure = z.strictObject({
  error: z.string().describe('What went wrong, as a sentence.'),
  exitCode: z.int(),
});

type Printed<T> = T extends readonly (infer E)[]
  ? readonly Printed<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Printed<T[K]> }
    : T;

export type AnswerName = keyof typeof all;
/** What a command prints with --json, inferred from its schema. */
export type Answer<N extends AnswerName> = Printed<z.infer<(typeof all)[N]['schema']>>;
/** What one step of `oja replay` prints with --json. */
export type ReplayAnswer<S extends keyof typeof replaySteps> = Printed<
  z.infer<(typeof replaySteps)[S]>
>;
export type Failure = z.infer<typeof failure>;
