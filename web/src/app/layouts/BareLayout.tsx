import { Outlet } from 'react-router-dom';
import { OfflineStrip } from '../../ui/OfflineStrip.js';
import { Footer } from '../Footer.js';
import { useRouteFlag } from '../route-flags.js';

/** No header: about, contact, terms, privacy, login and register. */
export function BareLayout() {
  const footer = useRouteFlag('footer');
  return (
    <>
      <OfflineStrip />
      <Outlet />
      {footer && <Footer />}
    </>
  );
}
