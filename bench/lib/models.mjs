import { catchUp } from '@oja/projector';

const tell = (...what) => console.error(...what);
/** A logger that prints only what would make a figure worthless. */
export const quiet = { debug() {}, info() {}, warn: tell, error: tell };

/** Builds read models, all at once, up to the current end of the log. */
export async function buildModels(projections, { eventStore, documents }) {
  const head = await eventStore.head();
  await Promise.all(
    projections.map((projection) => {
      // One signal for each: every projection adds listeners, and Node warns about many listeners on one signal.
      const { signal } = new AbortController();
      return catchUp({ eventStore, documents, projection, logger: quiet, signal }, head);
    }),
  );
}
