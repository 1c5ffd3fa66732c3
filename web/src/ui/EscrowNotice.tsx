import { pagePaths } from '@oja/contracts/pages';
import { ChevronRight, ShieldCheck } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from './Icon.js';
import { orderSteps } from './Stepper.js';

const promise = 'Held until you confirm delivery';

/** The held line, beside every pay action. */
export function EscrowLine() {
  return (
    <p className="held">
      <Icon of={ShieldCheck} size="s" />
      <span>{promise}</span>
    </p>
  );
}

/** The held line with sentences under it: product page, and after payment. */
export function EscrowNotice({ children }: { readonly children: ReactNode }) {
  return (
    <div className="heldbox">
      <Icon of={ShieldCheck} />
      <p>
        <b>{promise}</b>
        {children}
      </p>
    </div>
  );
}

/** The strip under the header of home. */
export function EscrowStrip() {
  return (
    <section className="trust" aria-label="How your money is kept">
      <div className="page">
        <EscrowLine />
        <ol className="path only-l row" aria-label="How buying works">
          {orderSteps.map((step, i) => (
            <Fragment key={step}>
              {i > 0 && (
                <li aria-hidden="true">
                  <Icon of={ChevronRight} size="xs" />
                </li>
              )}
              <li>{step}</li>
            </Fragment>
          ))}
        </ol>
        <Link className="link small" to={pagePaths.about}>
          How it works
        </Link>
      </div>
    </section>
  );
}
