import { type PageName, pagePaths } from '@oja/contracts/pages';
import type { ComponentType } from 'react';
import type { LoaderFunction, RouteObject } from 'react-router-dom';
import {
  BareLayout,
  PlainLayout,
  type RouteFlags,
  StorefrontLayout,
} from './app/layouts/public-layouts.js';
import type { FillPage } from './app/rendered/handed-over.js';
import { Loading, Shell } from './app/Shell.js';
import { BrokenPage, UnknownRoute } from './app/UnexpectedError.js';
import { warmHome } from './features/home/queries.js';

/** What stands around a page. `dashboard` and `admin` require a session. */
type Layout = 'storefront' | 'plain' | 'bare' | 'store' | 'dashboard' | 'admin';

/** The exports of a page's file. */
interface PageCode {
  readonly default: ComponentType;
  /** Fetches what the page shows first, before the server renders it. */
  readonly fill?: FillPage;
}

interface Page extends RouteFlags {
  readonly layout: Layout;
  readonly load: () => Promise<PageCode>;
  /** The server renders the page for everybody: it shows nothing that only this browser knows. */
  readonly rendered?: true;
  /** Runs while the page's own code is still loading. */
  readonly loader?: LoaderFunction;
}

/** All pages. The code of each is in a file named after it: `home` in `HomePage.tsx`. */
export const pages: Readonly<Record<PageName, Page>> = {
  home: {
    layout: 'storefront',
    load: () => import('./features/home/HomePage.js'),
    rendered: true,
    footer: true,
    loader: warmHome,
  },
  search: {
    layout: 'storefront',
    load: () => import('./features/search/SearchPage.js'),
    rendered: true,
  },
  category: {
    layout: 'storefront',
    load: () => import('./features/category/CategoryPage.js'),
    rendered: true,
  },
  subcategory: {
    layout: 'storefront',
    load: () => import('./features/category/SubcategoryPage.js'),
    rendered: true,
  },
  openedProduct: {
    layout: 'storefront',
    load: () => import('./features/product/OpenedProductPage.js'),
  },
  product: {
    layout: 'storefront',
    load: () => import('./features/product/ProductPage.js'),
    rendered: true,
  },
  cart: {
    layout: 'storefront',
    load: () => import('./features/cart/CartPage.js'),
  },
  store: {
    layout: 'store',
    load: () => import('./features/store/StorePage.js'),
    rendered: true,
  },
  paymentForm: {
    layout: 'plain',
    load: () => import('./features/checkout/PaymentFormPage.js'),
  },
  paymentVerification: {
    layout: 'plain',
    load: () => import('./features/checkout/PaymentVerificationPage.js'),
  },
  deliveryConfirmation: {
    layout: 'plain',
    load: () => import('./features/checkout/DeliveryConfirmationPage.js'),
  },
  myOrders: {
    layout: 'plain',
    load: () => import('./features/my-orders/MyOrdersPage.js'),
  },
  receipt: {
    layout: 'plain',
    load: () => import('./features/my-orders/ReceiptPage.js'),
  },
  saved: {
    layout: 'storefront',
    load: () => import('./features/saved/SavedPage.js'),
  },
  reviews: {
    layout: 'plain',
    load: () => import('./features/reviews/ReviewsPage.js'),
  },
  about: {
    layout: 'bare',
    load: () => import('./features/pages/AboutPage.js'),
    rendered: true,
    footer: true,
  },
  contact: {
    layout: 'bare',
    load: () => import('./features/pages/ContactPage.js'),
    footer: true,
  },
  terms: {
    layout: 'bare',
    load: () => import('./features/pages/TermsPage.js'),
    rendered: true,
  },
  privacy: {
    layout: 'bare',
    load: () => import('./features/pages/PrivacyPage.js'),
    rendered: true,
  },
  login: {
    layout: 'bare',
    load: () => import('./features/auth/LoginPage.js'),
  },
  register: {
    layout: 'bare',
    load: () => import('./features/auth/RegisterPage.js'),
  },
  upload: {
    layout: 'dashboard',
    load: () => import('./features/upload/UploadPage.js'),
    myStore: true,
  },
  updateProduct: {
    layout: 'dashboard',
    load: () => import('./features/upload/UpdateProductPage.js'),
  },
  dashboard: {
    layout: 'dashboard',
    load: () => import('./features/dashboard/DashboardPage.js'),
  },
  orders: {
    layout: 'dashboard',
    load: () => import('./features/orders/OrdersPage.js'),
  },
  order: {
    layout: 'dashboard',
    load: () => import('./features/orders/OrderPage.js'),
  },
  sales: {
    layout: 'dashboard',
    load: () => import('./features/orders/SalesPage.js'),
  },
  notifications: {
    layout: 'dashboard',
    load: () => import('./features/dashboard/NotificationsPage.js'),
  },
  profile: {
    layout: 'dashboard',
    load: () => import('./features/dashboard/ProfilePage.js'),
  },
  password: {
    layout: 'dashboard',
    load: () => import('./features/dashboard/PasswordPage.js'),
  },
  adminHome: {
    layout: 'admin',
    load: () => import('./features/admin/AdminHomePage.js'),
  },
  sellers: {
    layout: 'admin',
    load: () => import('./features/admin/SellersPage.js'),
  },
  admins: {
    layout: 'admin',
    load: () => import('./features/admin/AdminsPage.js'),
  },
  transaction: {
    layout: 'admin',
    load: () => import('./features/admin/TransactionPage.js'),
  },
};

export const pageNames = Object.keys(pages) as readonly PageName[];

function routeOf(name: PageName): RouteObject {
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
    errorElement: <BrokenPage framed />,
    children: pageNames.filter((name) => pages[name].layout === layout).map(routeOf),
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
        lazy: async () => {
          const { StoreLayout } = await import('./features/store/StoreFrame.js');
          return { Component: StoreLayout };
        },
        children: routesIn('store'),
      },
      {
        lazy: async () => {
          const { DashboardLayout } = await import('./app/layouts/DashboardLayout.js');
          return { Component: DashboardLayout };
        },
        children: routesIn('dashboard'),
      },
      {
        lazy: async () => {
          const { AdminLayout } = await import('./app/layouts/AdminLayout.js');
          return { Component: AdminLayout };
        },
        children: routesIn('admin'),
      },
    ],
  },
];
