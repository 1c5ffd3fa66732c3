import { z } from 'zod';
import { ofFolder } from './folder.js';
import { ofLog } from './log.js';
import { ofMarket } from './market.js';
import { ofPeople } from './people.js';
import { ofReadModels, type replaySteps } from './read-models.js';
import { ofWatching } from './watch.js';

/** `perLine`: one JSON text a line, each of which is of the schema; else one text alone. */
interface AnswerForm {
  readonly schema: z.ZodType;
  readonly perLine?: true;
}

const all = {
  ...ofWatching,
  ...ofMarket,
  ...ofReadModels,
  ...ofLog,
  ...ofFolder,
  ...ofPeople,
} as const satisfies Readonly<Record<string, AnswerForm>>;

/** What each command prints with --json, by all the words of its name. */
export const answers: Readonly<Record<string, AnswerForm>> = all;

/** What every command writes to standard error that fails with --json. */
export const failure = z.strictObject({
  error: z.string().describe('In a sentence.'),
  exitCode: z.int(),
});

type Printed<T> = T extends readonly (infer E)[]
  ? readonly Printed<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Printed<T[K]> }
    : T;

export type AnswerName = keyof typeof all;
/** What a command prints, as its schema says. */
export type Answer<N extends AnswerName> = Printed<z.infer<(typeof all)[N]['schema']>>;
/** What one step of oja replay prints. */
export type ReplayAnswer<S extends keyof typeof replaySteps> = Printed<
  z.infer<(typeof replaySteps)[S]>
>;
export type Failure = z.infer<typeof failure>;
