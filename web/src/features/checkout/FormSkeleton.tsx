import { Skeleton } from '../../ui/Skeleton.js';
import { Stepper } from '../../ui/Stepper.js';

/** The form and its summary while the single product is on its way. */
export function FormSkeleton() {
  return (
    <>
      <div className="stepline">
        <Stepper now={2} />
      </div>
      <div className="two" aria-busy="true">
        <section className="panel">
          <h1>Where should it go?</h1>
          <div className="stack intro">
            {['name', 'address', 'phone'].map((field) => (
              <Skeleton key={field} height={76} />
            ))}
            <Skeleton height={52} />
          </div>
        </section>
        <aside className="panel stack">
          <h2>Your order</h2>
          <Skeleton height={52} />
          <Skeleton height={96} />
        </aside>
      </div>
    </>
  );
}
