import { useState } from 'react';
import { Outlet } from 'react-router-dom';
import '../../styles/parts/store.css';
import { Cloth } from '../../ui/Cloth.js';
import { Logo } from '../../ui/Logo.js';
import { motifOf } from '../../ui/motif.js';
import { OfflineStrip } from '../../ui/OfflineStrip.js';
import { CartLink } from '../header/CartLink.js';

/** What the page says to the band above it, through the outlet's context: whose store it is. */
export type TellSeller = (sellerId: string) => void;

/** A band of the seller's cloth with logo and cart; the store's card overlaps it from the page below. */
export function Component() {
  const [sellerId, setSellerId] = useState<string>();
  return (
    <>
      <Cloth
        as="header"
        className="storehead"
        {...(sellerId !== undefined && { motif: motifOf(sellerId) })}
      >
        <div className="page">
          <div className="bar">
            <Logo onCloth />
            <CartLink />
          </div>
        </div>
      </Cloth>
      <OfflineStrip />
      <Outlet context={setSellerId satisfies TellSeller} />
    </>
  );
}
