import { Outlet } from 'react-router-dom';
import { Footer } from '../Footer.js';
import { SearchHeader } from '../header/SearchHeader.js';
import { useRouteFlag } from '../route-flags.js';

/** Search plus cart: home, search, categories, products and the cart. The search box lives through all of them. */
export function StorefrontLayout() {
  const footer = useRouteFlag('footer');
  return (
    <>
      <SearchHeader />
      <Outlet />
      {footer && <Footer />}
    </>
  );
}
