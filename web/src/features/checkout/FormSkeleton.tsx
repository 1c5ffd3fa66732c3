import { Skeleton } from '../../ui/Skeleton.js';
import { Stepper } from '../../ui/Stepper.js';
import { WhereTo } from './WhereTo.js';

/** A field with its label; the button with what stands below it. In px. */
const FIELD = 76;
const SUBMIT = 104;

/** The form and its summary while the single product is on its way. */
export function FormSkeleton() {
  return (
    <>
      <div className="stepline">
        <Stepper now={2} />
      </div>
      <div className="two" aria-busy="true">
        <section className="panel">
          <WhereTo />
          <div className="form two">
            <Skeleton height={FIELD} />
            <Skeleton height={FIELD} />
            <Skeleton height={FIELD} className="w" />
            <Skeleton height={FIELD} />
            <Skeleton height={FIELD} />
            <Skeleton height={SUBMIT} className="w" />
          </div>
        </section>
        <aside className="panel stack">
          <h2>Your order</h2>
          <Skeleton height={52} />
          <Skeleton height={124} />
        </aside>
      </div>
    </>
  );
}
