import { catchUp } from '@oja/projector';
import { quiet } from './quiet.mjs';

/** Builds read models, all at once, up to where the log ends now. */
export async function buildModels(projections, { eventStore, documents }) {
  const head = await eventStore.head();
  await Promise.all(
    projections.map((projection) => {
      // Each its own: what follows listens to it, and many listeners of one are warned of.
      const { signal } = new AbortController();
      return catchUp({ eventStore, documents, projection, logger: quiet, signal }, head);
    }),
  );
}
