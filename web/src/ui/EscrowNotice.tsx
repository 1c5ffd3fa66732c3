import { pagePaths } from '@oja/contracts/pages';
import { ChevronRight, ShieldCheck } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import * as styles from './EscrowNotice.module.css';
import { Icon } from './Icon.js';
import { Link } from './Link.js';
import * as layout from './layout.module.css';

/** The steps of every order; the cart is step 1. */
export const orderSteps = ['Order', 'Pay', 'Deliver', 'Confirm'] as const;

const promise = 'Held until you confirm delivery';

/** The line 'Held until you confirm delivery', beside every pay action. */
export function EscrowLine() {
  return (
    <p className={styles.line}>
      <Icon of={ShieldCheck} size="s" />
      <span>{promise}</span>
    </p>
  );
}

/** The same line with sentences below it: on the product page, and after payment. */
export function EscrowNotice({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.notice}>
      <Icon of={ShieldCheck} />
      <p>
        <b>{promise}</b>
        {children}
      </p>
    </div>
  );
}

/** The strip under the header of the home page. */
export function EscrowStrip() {
  return (
    <section className={styles.strip} aria-label="How your money is kept">
      <div className={layout.page}>
        <EscrowLine />
        <ol
          className={`${styles.steps} ${layout.onlyWide} ${layout.row}`}
          aria-label="How buying works"
        >
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
        <Link className={`${layout.link} ${layout.small}`} to={pagePaths.about}>
          How it works
        </Link>
      </div>
    </section>
  );
}
