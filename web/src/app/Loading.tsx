import { CardSkeletons } from '../ui/CardSkeleton.js';

/** The page while its part of the app is on the way, on the first load only. */
export function Loading() {
  return (
    <main id="main" className="page loading" aria-busy="true">
      <div className="grid five">
        <CardSkeletons count={10} />
      </div>
    </main>
  );
}
