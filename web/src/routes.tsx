import type { LazyRouteFunction, RouteObject } from 'react-router-dom';
import { Loading } from './app/Loading.js';
import { BareLayout } from './app/layouts/BareLayout.js';
import { PlainLayout } from './app/layouts/PlainLayout.js';
import { StorefrontLayout } from './app/layouts/StorefrontLayout.js';
import type { RouteFlags } from './app/route-flags.js';
import { Shell } from './app/Shell.js';
import { BrokenPage, UnknownRoute } from './app/UnexpectedError.js';
import { warmHome } from './features/home/queries.js';

/** A page: its address, where its code is, and what it wants around it. Its file exports `Component`. */
function page(
  path: string,
  lazy: LazyRouteFunction<RouteObject>,
  handle: RouteFlags = {},
): RouteObject {
  return { path, lazy, handle, hydrateFallbackElement: <Loading /> };
}

/** Search plus cart. */
const storefront: RouteObject[] = [
  {
    ...page('/', () => import('./features/home/route.js'), { footer: true }),
    loader: warmHome,
  },
  page('/search-items', () => import('./features/search/route.js')),
  page('/category/:page', () => import('./features/category/route.js')),
  page('/category/:page/:subcategory', () => import('./features/category/route.js')),
  page('/view-card', () => import('./features/product/view-card.js')),
  page('/single-product/:subcategory_id/:product_id', () => import('./features/product/route.js')),
  page('/cart-contents/:mode', () => import('./features/cart/route.js')),
];

/** The logo alone. */
const plain: RouteObject[] = [
  page('/payment-form', () => import('./features/checkout/payment-form.js')),
  page('/payment/verify', () => import('./features/checkout/verify.js')),
  page(
    '/payment/verify/delivery-confirmation',
    () => import('./features/checkout/delivery-confirmation.js'),
  ),
  page('/ratings-and-reviews', () => import('./features/reviews/route.js')),
  { path: '*', element: <UnknownRoute /> },
];

/** No header. */
const bare: RouteObject[] = [
  page('/about', () => import('./features/pages/about.js'), { footer: true }),
  page('/contact', () => import('./features/pages/contact.js'), { footer: true }),
  page('/terms-&-conditions', () => import('./features/pages/terms.js')),
  page('/privacy-policy', () => import('./features/pages/privacy.js')),
  page('/login', () => import('./features/auth/login.js')),
  page('/register', () => import('./features/auth/register.js')),
];

/** Behind the guard, for sellers. */
const dashboard: RouteObject[] = [
  page('/upload-product', () => import('./features/upload/route.js'), { myStore: true }),
  page('/dashboard', () => import('./features/dashboard/products.js')),
  page('/dashboard/notifications', () => import('./features/dashboard/notifications.js')),
  page('/dashboard/profile', () => import('./features/dashboard/profile.js')),
  page(
    '/single-product/:subcategory_id/:product_id/update',
    () => import('./features/upload/update.js'),
  ),
];

/** Behind the guard, for admins and sub-admins. */
const admin: RouteObject[] = [
  page('/admin-dashboard', () => import('./features/admin/home.js')),
  page('/admin-dashboard/sellers', () => import('./features/admin/sellers.js')),
  page('/admin-dashboard/admins', () => import('./features/admin/admins.js')),
  page('/admin-dashboard/:transactionID', () => import('./features/admin/transaction.js')),
];

/** The map of the app: every address of the product. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <BrokenPage />,
    hydrateFallbackElement: <Loading />,
    children: [
      { element: <StorefrontLayout />, children: storefront },
      { element: <PlainLayout />, children: plain },
      { element: <BareLayout />, children: bare },
      {
        lazy: () => import('./app/layouts/StoreLayout.js'),
        children: [page('/sellers-store/:businessname', () => import('./features/store/route.js'))],
      },
      { lazy: () => import('./app/layouts/DashboardLayout.js'), children: dashboard },
      { lazy: () => import('./app/layouts/AdminLayout.js'), children: admin },
    ],
  },
];
