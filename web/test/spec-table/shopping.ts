import type { Row } from './row.js';
import { card } from './shopping/card.js';
import { cartPage } from './shopping/cart.js';
import { category } from './shopping/category.js';
import { homePage } from './shopping/home.js';
import { pages } from './shopping/pages.js';
import { productPage } from './shopping/product.js';
import { reviewsPage } from './shopping/reviews.js';
import { searchPage } from './shopping/search.js';
import { shell } from './shopping/shell.js';
import { storePage } from './shopping/store.js';

/** Finding and choosing products, the cart, and reviews. */
export const shopping: readonly Row[] = [
  ...shell,
  ...homePage,
  ...card,
  ...searchPage,
  ...category,
  ...productPage,
  ...storePage,
  ...cartPage,
  ...reviewsPage,
  ...pages,
];
