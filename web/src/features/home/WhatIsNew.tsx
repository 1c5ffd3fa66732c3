import { X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { IconButton } from '../../ui/IconButton.js';
import { DeliveryRule } from '../../ui/PriceAndDelivery.js';
import './what-is-new.css';

/** Raised with each release that has something to tell shoppers. */
const RELEASE = '1';
const SEEN = 'oja-release-seen';

function seenBefore(): boolean {
  try {
    return localStorage.getItem(SEEN) === RELEASE;
  } catch {
    return false;
  }
}

/** Starts open once a release, with the delivery rule and what is new; not modal, and dismissed for good. */
export function WhatIsNew() {
  const [open, setOpen] = useState(false);
  const titleId = useId();
  // Only the browser knows: the server renders the page for everybody.
  useEffect(() => setOpen(!seenBefore()), []);
  if (!open) return null;
  const dismiss = () => {
    setOpen(false);
    try {
      localStorage.setItem(SEEN, RELEASE);
    } catch {
      // It will be told once more.
    }
  };
  return (
    <section
      className="whatsnew"
      role="dialog"
      aria-labelledby={titleId}
      onKeyDown={(event) => event.key === 'Escape' && dismiss()}
    >
      <div className="row spread">
        <h2 id={titleId} className="h3">
          New on Oja
        </h2>
        <IconButton of={X} label="Dismiss" onClick={dismiss} />
      </div>
      <p>Your money is held until you confirm delivery.</p>
      <DeliveryRule />
    </section>
  );
}
