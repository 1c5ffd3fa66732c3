import { tmpdir } from 'node:os';
import {
  compare,
  comparedCopy,
  comparedGeneration,
  createCleanCopy,
  type Difference,
  type Projection,
  storedStatus,
} from '@oja/projector';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { failedExit } from '../../terminal/exit.js';
import { createProgress, withProgress } from '../../terminal/progress.js';
import { diskSpaceFor, requireDiskSpace } from '../shared/disk-space.js';
import { countEvents } from '../shared/event-progress.js';
import { aheadOfLogMessage, requirePointer, requireUnreplaced } from '../shared/wait-for-models.js';

/** How many differences a terminal shows; `--json` gives all. */
const NAMED = 20;

const words: Readonly<Record<Difference['kind'], string>> = {
  missing: 'is missing in the live model',
  extra: 'is in the live model only',
  different: 'differs',
  moving: 'kept changing and could not be compared',
  misindexed: 'is right, but an index of the live model is wrong about it',
};

/** A count that differs from the documents has its values, a JSON list, in place of a document's id. */
const isCount = ({ kind, id }: Difference): boolean => kind === 'misindexed' && id.startsWith('[');

export function linesOfDifferences(differences: readonly Difference[]): readonly string[] {
  const named = differences.slice(0, NAMED).map((difference) => {
    const { collection, id, kind, fields } = difference;
    if (isCount(difference))
      return `  ${collection}: the live model counts its documents of ${fields.join(', ')} ${id} wrongly`;
    const where = fields.length > 0 ? ` in ${fields.join(', ')}` : '';
    return `  ${collection} ${id} ${words[kind]}${where}`;
  });
  const more = differences.length - NAMED;
  return more > 0 ? [...named, `  … and ${more} more (--json names them all)`] : named;
}

/** The result of verifying one read model. */
export type ModelVerdict = Answer<'verify'>['models'][number];

export const isRight = ({ differences, parked }: ModelVerdict): boolean =>
  differences.length === 0 && parked.length === 0;

type VerifyDeps = Pick<AppContext, 'clock'> & {
  readonly config: Pick<AppContext['config'], 'dataDir' | 'mongodbUrl'>;
  readonly engines: Pick<AppContext['engines'], 'eventStore' | 'documents' | 'state'>;
};

/**
 * Builds a clean copy of the model in a temporary folder, and compares.
 * @throws Exit 1 when it cannot be built, or the live generation is replaced meanwhile.
 */
export async function verifyModel(
  context: VerifyDeps,
  projection: Projection,
  signal: AbortSignal,
): Promise<ModelVerdict> {
  const { engines, clock } = context;
  const { eventStore, documents } = engines;
  const { live: generation } = await requirePointer(documents, projection);
  const live = comparedGeneration(documents, projection, generation);
  const [status] = (await storedStatus(engines, [projection], clock.now())).filter(
    ({ role }) => role === 'live',
  );
  if (status?.aheadOfLog) throw failedExit(aheadOfLogMessage(projection.name));
  const room = await diskSpaceFor(context, projection, tmpdir());
  requireDiskSpace(room, `A clean copy of ${projection.name}`, ', or set TMPDIR to another folder');
  const total = await countEvents(eventStore, null, signal);
  const building = createProgress(`${projection.name}: building`);
  const copy = await createCleanCopy({
    eventStore,
    projection,
    signal,
    onProgress: (events) => building.update(events, total),
  });
  try {
    await copy.advance(await live.position());
    building.end();
    const found = await withProgress(`${projection.name}: comparing`, (onProgress) =>
      requireUnreplaced(documents, projection, [generation], () =>
        compare(projection, live, comparedCopy(copy), { signal, onProgress }),
      ),
    );
    const parked = new Map(
      [...copy.parked(), ...(status?.parked ?? [])].map(({ stream, error, holdsAll }) => [
        stream,
        { stream, error, ...(holdsAll && { holdsAll }) },
      ]),
    );
    return {
      projection: projection.name,
      version: projection.version,
      generation,
      ...found,
      parked: [...parked.values()],
    };
  } finally {
    building.end();
    await copy.close();
  }
}
