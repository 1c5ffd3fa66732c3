import { Outlet } from 'react-router-dom';
import '../../styles/parts/store.css';
import { Cloth } from '../../ui/Cloth.js';
import { Logo } from '../../ui/Logo.js';
import { OfflineStrip } from '../../ui/OfflineStrip.js';
import { CartLink } from '../header/CartLink.js';

/** A band of cloth with logo and cart; the store's card overlaps it from the page below. */
export function Component() {
  return (
    <>
      <Cloth as="header" className="storehead">
        <div className="page">
          <div className="bar">
            <Logo onCloth />
            <CartLink />
          </div>
        </div>
      </Cloth>
      <OfflineStrip />
      <Outlet />
    </>
  );
}
