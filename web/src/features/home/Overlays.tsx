import { X } from 'lucide-react';
import { useState } from 'react';
import { safeLocalStorage } from '../../stores/safe-storage.js';
import { IconButton } from '../../ui/Button.js';
import { FEE, FloatingButtons, THRESHOLD } from '../../ui/Floats.js';
import { focusHeading } from '../../ui/focus.js';
import * as layout from '../../ui/layout.module.css';
import { RecentlySeen } from '../saved/RecentlySeen.js';
import * as styles from './Overlays.module.css';

/** Increased with each release that has news for shoppers. */
const RELEASE = '1';
const SEEN_RELEASE_KEY = 'oja-release-seen';

/** Parts that need this browser's own data, or lie over the page and need script. Loaded after the page is shown. */
export default function Overlays() {
  return (
    <>
      <div className={layout.page}>
        <RecentlySeen />
      </div>
      <FloatingButtons />
      <WhatIsNew />
    </>
  );
}

/** The delivery rule and what is new. Opens once per release, is not modal, and stays dismissed. */
function WhatIsNew() {
  const [open, setOpen] = useState(() => safeLocalStorage.getItem(SEEN_RELEASE_KEY) !== RELEASE);
  if (!open) return null;
  const dismiss = () => {
    setOpen(false);
    focusHeading();
    // Without storage it is shown again on the next visit.
    safeLocalStorage.setItem(SEEN_RELEASE_KEY, RELEASE);
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
          {`Your money is held until you confirm delivery. Below ${THRESHOLD}: delivery fee of ${FEE}. Above: no fee, delivered in 24 hours.`}
        </p>
        <IconButton of={X} label="Dismiss" onClick={dismiss} />
      </div>
    </section>
  );
}
