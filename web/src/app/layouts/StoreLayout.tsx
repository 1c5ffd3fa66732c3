import { useState } from 'react';
import { Outlet } from 'react-router-dom';
import '../../styles/parts/store.css';
import { Cloth } from '../../ui/Cloth.js';
import { classes } from '../../ui/classes.js';
import { Logo } from '../../ui/Logo.js';
import { motifOf } from '../../ui/motif.js';
import { OfflineStrip } from '../../ui/OfflineStrip.js';
import { useScrolled } from '../../ui/use-scrolled.js';
import { CartLink } from '../header/CartLink.js';
import { STICK_FROM } from '../header/StickyTop.js';

/** What the page says to the band above it, through the outlet's context: whose store it is. */
export type TellSeller = (sellerId: string) => void;

/** A band of the seller's cloth behind logo and cart, which stick; the store's card overlaps it from the page below. */
export function Component() {
  const [sellerId, setSellerId] = useState<string>();
  const stuck = useScrolled(STICK_FROM);
  return (
    <>
      <Cloth className="storehead" {...(sellerId !== undefined && { motif: motifOf(sellerId) })} />
      <header className={classes('storebar', stuck && 'stuck')}>
        <div className="page bar">
          <Logo onCloth />
          <CartLink />
        </div>
        <OfflineStrip />
      </header>
      <Outlet context={setSellerId satisfies TellSeller} />
    </>
  );
}
