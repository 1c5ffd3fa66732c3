import { type PageName, pagePaths } from '@oja/contracts/pages';
import type { ComponentType } from 'react';
import type { LoaderFunction, RouteObject } from 'react-router-dom';
import {
  BareLayout,
  PlainLayout,
  type RouteFlags,
  StorefrontLayout,
} from './app/layouts/public-layouts.js';
import type { PrefetchPage } from './app/rendered/hydration.js';
import { Loading, Shell } from './app/Shell.js';
import { BrokenPage, UnknownRoute } from './app/UnexpectedError.js';
import { loadHome } from './features/home/queries.js';

/** What stands around a page. `dashboard` and `admin` require a session. */
type Layout = 'storefront' | 'plain' | 'bare' | 'store' | 'dashboard' | 'admin';

/** The exports of a page's file. */
interface PageCode {
  readonly default: ComponentType;
  /** Fetches what the page shows first, before the server renders it. */
  readonly prefetch?: PrefetchPage;
}

interface Page extends RouteFlags {
  readonly layout: Layout;
  readonly load: () => Promise<PageCode>;
  /** The server renders the page for everybody: it shows nothing that only this browser knows. */
  readonly rendered?: true;
  /** Runs while the page's own code is still loading. */
  readonly loader?: LoaderFunction;
}

const page = (layout: Layout, load: Page['load'], more?: Omit<Page, 'layout' | 'load'>): Page => ({
  layout,
  load,
  ...more,
});

const rendered = { rendered: true } as const;

/** All pages. The code of each is in a file named after it: `home` in `HomePage.tsx`. */
export const pages: Readonly<Record<PageName, Page>> = {
  home: page('storefront', () => import('./features/home/HomePage.js'), {
    ...rendered,
    footer: true,
    loader: loadHome,
  }),
  search: page('storefront', () => import('./features/search/SearchPage.js'), rendered),
  category: page('storefront', () => import('./features/category/CategoryPage.js'), rendered),
  subcategory: page('storefront', () => import('./features/category/SubcategoryPage.js'), rendered),
  openedProduct: page('storefront', () => import('./features/product/OpenedProductPage.js')),
  product: page('storefront', () => import('./features/product/ProductPage.js'), rendered),
  cart: page('storefront', () => import('./features/cart/CartPage.js')),
  store: page('store', () => import('./features/store/StorePage.js'), rendered),
  paymentForm: page('plain', () => import('./features/checkout/PaymentFormPage.js')),
  paymentVerification: page(
    'plain',
    () => import('./features/checkout/PaymentVerificationPage.js'),
  ),
  deliveryConfirmation: page(
    'plain',
    () => import('./features/checkout/DeliveryConfirmationPage.js'),
  ),
  myOrders: page('plain', () => import('./features/my-orders/MyOrdersPage.js')),
  receipt: page('plain', () => import('./features/my-orders/ReceiptPage.js')),
  saved: page('storefront', () => import('./features/saved/SavedPage.js')),
  reviews: page('plain', () => import('./features/reviews/ReviewsPage.js')),
  about: page('bare', () => import('./features/pages/AboutPage.js'), { ...rendered, footer: true }),
  contact: page('bare', () => import('./features/pages/ContactPage.js'), { footer: true }),
  terms: page('bare', () => import('./features/pages/TermsPage.js'), rendered),
  privacy: page('bare', () => import('./features/pages/PrivacyPage.js'), rendered),
  login: page('bare', () => import('./features/auth/LoginPage.js')),
  register: page('bare', () => import('./features/auth/RegisterPage.js')),
  upload: page('dashboard', () => import('./features/upload/UploadPage.js'), { myStore: true }),
  updateProduct: page('dashboard', () => import('./features/upload/UpdateProductPage.js')),
  dashboard: page('dashboard', () => import('./features/dashboard/DashboardPage.js')),
  orders: page('dashboard', () => import('./features/orders/OrdersPage.js')),
  order: page('dashboard', () => import('./features/orders/OrderPage.js')),
  sales: page('dashboard', () => import('./features/orders/SalesPage.js')),
  notifications: page('dashboard', () => import('./features/dashboard/NotificationsPage.js')),
  profile: page('dashboard', () => import('./features/dashboard/ProfilePage.js')),
  password: page('dashboard', () => import('./features/dashboard/PasswordPage.js')),
  adminHome: page('admin', () => import('./features/admin/AdminHomePage.js')),
  sellers: page('admin', () => import('./features/admin/SellersPage.js')),
  admins: page('admin', () => import('./features/admin/AdminsPage.js')),
  transaction: page('admin', () => import('./features/admin/TransactionPage.js')),
};

export const pageNames = Object.keys(pages) as readonly PageName[];

function toRoute(name: PageName): RouteObject {
  const handle = pages[name] satisfies RouteFlags;
  const { load, loader } = handle;
  return {
    path: pagePaths[name],
    lazy: async () => ({ Component: (await load()).default }),
    handle,
    hydrateFallbackElement: <Loading />,
    ...(loader && { loader }),
  };
}

/** A page that throws, or whose code fails to load, leaves its layout standing. */
const routesIn = (layout: Layout): RouteObject[] => [
  {
    errorElement: <BrokenPage inLayout />,
    children: pageNames.filter((name) => pages[name].layout === layout).map(toRoute),
  },
];

/** The routes from which the router is created. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <BrokenPage />,
    hydrateFallbackElement: <Loading />,
    children: [
      { element: <StorefrontLayout />, children: routesIn('storefront') },
      {
        element: <PlainLayout />,
        children: [...routesIn('plain'), { path: '*', element: <UnknownRoute /> }],
      },
      { element: <BareLayout />, children: routesIn('bare') },
      {
        lazy: async () => ({
          Component: (await import('./features/store/StoreFrame.js')).StoreLayout,
        }),
        children: routesIn('store'),
      },
      {
        lazy: async () => ({
          Component: (await import('./app/layouts/DashboardLayout.js')).DashboardLayout,
        }),
        children: routesIn('dashboard'),
      },
      {
        lazy: async () => ({
          Component: (await import('./app/layouts/AdminLayout.js')).AdminLayout,
        }),
        children: routesIn('admin'),
      },
    ],
  },
];
