import { Skeleton } from '../../ui/Skeleton.js';
import { Stepper } from '../../ui/Stepper.js';

/** The question while its order is on the way. */
export function ConfirmationSkeleton() {
  return (
    <>
      <div className="stepline">
        <Stepper now={4} />
      </div>
      <section className="panel big1 stack" aria-busy="true">
        <h1 className="c">Have you received the product?</h1>
        <Skeleton height={40} />
        <Skeleton height={52} />
        <Skeleton height={52} />
        <Skeleton height={56} />
      </section>
    </>
  );
}
