import { dashboard } from './accounts-and-sellers/dashboard.js';
import { sellerHeader } from './accounts-and-sellers/header.js';
import { letters } from './accounts-and-sellers/letters.js';
import { loginForm } from './accounts-and-sellers/login.js';
import { nameCheck } from './accounts-and-sellers/name-check.js';
import { notifications } from './accounts-and-sellers/notifications.js';
import { sellersOrders } from './accounts-and-sellers/orders.js';
import { ownProduct } from './accounts-and-sellers/own-product.js';
import { password } from './accounts-and-sellers/password.js';
import { profile } from './accounts-and-sellers/profile.js';
import { session } from './accounts-and-sellers/session.js';
import { signUpForm } from './accounts-and-sellers/sign-up.js';
import { uploading } from './accounts-and-sellers/upload.js';
import { uploadFields } from './accounts-and-sellers/upload-fields.js';
import type { Row } from './row.js';

/** Signing up and in, and what a seller does. */
export const accountsAndSellers: readonly Row[] = [
  ...signUpForm,
  ...nameCheck,
  ...loginForm,
  ...session,
  ...sellerHeader,
  ...dashboard,
  ...uploadFields,
  ...uploading,
  ...ownProduct,
  ...sellersOrders,
  ...notifications,
  ...profile,
  ...password,
  ...letters,
];
