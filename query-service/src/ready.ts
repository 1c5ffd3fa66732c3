import { type Call, calls } from '@oja/contracts';
import { readModels as models } from '@oja/contracts/models';
import { hasPassed, type Position } from '@oja/platform';
import type { QueryServiceDeps } from './deps.js';
import { readTemplate } from './pages/template.js';

/** Something that must be true before this service can serve, by a name for operators. */
export interface Condition {
  readonly name: string;
  readonly isMet: () => Promise<boolean>;
}

type ReadyDeps = Pick<QueryServiceDeps, 'readModels' | 'eventStore' | 'webDist'>;

const all: readonly Call[] = Object.values(calls);
const ours = all.filter(({ owner }) => owner === 'query-service');
const read = new Set(ours.flatMap(({ reads }) => reads));

/**
 * Every read model that our calls read, in the version this service was compiled for, has come to where the log stood when
 * it was first asked; what has once caught up stays so. And there are pages to serve.
 */
export function readyConditions({ readModels, eventStore, webDist }: ReadyDeps) {
  let target: Promise<Position | null> | undefined;
  const caughtUp = new Set<string>();

  async function hasCaughtUp(model: (typeof models)[keyof typeof models]): Promise<boolean> {
    if (caughtUp.has(model.name)) return true;
    // A log that is away now is asked again.
    target ??= eventStore.head().catch((error: unknown) => {
      target = undefined;
      throw error;
    });
    const [checkpoint, position] = await Promise.all([readModels.checkpointOf(model), target]);
    const isThere = position === null ? checkpoint !== null : hasPassed(checkpoint, position);
    if (isThere) caughtUp.add(model.name);
    // One that stands still closes what needs it, not the market.
    return isThere || readModels.isHeld(model);
  }

  return (): readonly Condition[] => [
    ...Object.values(models)
      .filter(({ name }) => read.has(name))
      .map((model) => ({
        name: `read model ${model.name}`,
        isMet: () => hasCaughtUp(model),
      })),
    { name: 'web pages', isMet: async () => (await readTemplate(webDist)) !== null },
  ];
}
