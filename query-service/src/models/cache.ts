import type { Reader, ShownModel } from './reader.js';

/** What is kept of one state of a model, unless it is large; more is not asked again often enough. */
const MOST_KEPT = 500;

/** The version of a model: it changes with every event that the model has seen. */
export async function versionOf(reader: Reader, model: ShownModel): Promise<string> {
  const [open, checkpoint] = await Promise.all([reader.open(model), reader.checkpointOf(model)]);
  return `${open.generation}-${checkpoint?.position ?? 'empty'}`;
}

/**
 * Keeps what was made from a model alone, by key, for as long as the model stands where it stood.
 * Asked twice at once, it is made once; a failure is not kept. The version is read first, so what is
 * kept is never older than its version says.
 */
export function createCheckpointCache<V>(reader: Reader, model: ShownModel, most = MOST_KEPT) {
  let version = '';
  let kept = new Map<string, Promise<V>>();

  return async (key: string, make: () => Promise<V>): Promise<V> => {
    const now = await versionOf(reader, model);
    if (now !== version || kept.size >= most) {
      version = now;
      kept = new Map();
    }
    const own = kept;
    const known = own.get(key);
    if (known !== undefined) return known;
    const made = make();
    own.set(key, made);
    made.catch(() => own.delete(key));
    return made;
  };
}
