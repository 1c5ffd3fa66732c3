import type { Plan } from '@oja/platform';
import { Exit, exitCodes } from '../../market/exit.js';

/** What is not in the data folder when a variable is set, and how it is backed up then. */
const elsewhere = [
  [
    'EVENTSTORE_URL',
    "the events in EventStoreDB: copy its folder as its own documentation says, or keep them with 'oja export'",
  ],
  [
    'MONGODB_URL',
    'documents, state and keys in MongoDB: use mongodump, and keep the database of the keys apart',
  ],
] as const;

/**
 * A copy of the files is a market only where the files are all of it.
 * @throws Exit 2 naming what is elsewhere and what backs it up.
 */
export function refuseElsewhere({ variables }: Plan, outcome: string): void {
  const found = elsewhere.flatMap(([name, how]) =>
    variables[name] === undefined ? [] : [`${name} keeps ${how}`],
  );
  if (found.length > 0)
    throw new Exit(
      exitCodes.usage,
      `This market is not only in its files. ${found.join('; ')}. ${outcome}.`,
    );
}
