import { X } from 'lucide-react';
import { useState } from 'react';
import { safe } from '../../stores/kept.js';
import { IconButton } from '../../ui/Button.js';
import { Floats } from '../../ui/Floats.js';
import * as layout from '../../ui/layout.module.css';
import { SeenPlace } from '../saved/SeenPlace.js';
import * as styles from './HomePage.module.css';

/** Raised with each release that has something to tell shoppers. */
const RELEASE = '1';
const SEEN = 'oja-release-seen';

/** What only this browser knows, and what lies over the page and needs its script: it comes once the page stands. */
export default function OverHome() {
  return (
    <>
      <div className={layout.page}>
        <SeenPlace />
      </div>
      <Floats />
      <WhatIsNew />
    </>
  );
}

/** Starts open once a release, with the delivery rule and what is new; not modal, and dismissed for good. */
function WhatIsNew() {
  const [open, setOpen] = useState(() => safe.getItem(SEEN) !== RELEASE);
  if (!open) return null;
  const dismiss = () => {
    setOpen(false);
    // Where nothing can be kept it will be told once more.
    safe.setItem(SEEN, RELEASE);
  };
  return (
    <section
      className={styles.whatIsNew}
      role="dialog"
      aria-label="New on Oja"
      onKeyDown={(event) => event.key === 'Escape' && dismiss()}
    >
      <div className={layout.page}>
        <h2>New on Oja</h2>
        <p>
          Your money is held until you confirm delivery. Below ₦5,000.00: delivery fee of ₦800.00.
          Above: no fee, delivered in 24 hours.
        </p>
        <IconButton of={X} label="Dismiss" onClick={dismiss} />
      </div>
    </section>
  );
}
