import { categoryPath } from '@oja/contracts/pages';
import { categoryByName, subcategoryByName } from '@oja/domain/rules';
import type { PageAnswer } from './head.js';
import type { PageTools } from './page.js';

const PROMISE = 'Your money is held until you confirm delivery.';
/** What is said of the market where a page has no more to say. */
export const DESCRIPTION = `Many sellers, one market. ${PROMISE}`;

/** A page whose content is the web app's matter alone. */
export const plainPage =
  (title: string, options: { readonly hidden?: boolean; readonly description?: string } = {}) =>
  ({ publicUrl, path }: PageTools): PageAnswer => ({
    status: 200,
    head: {
      title: `${title} | Oja`,
      description: options.description ?? DESCRIPTION,
      url: `${publicUrl}${path}`,
      hidden: options.hidden ?? false,
    },
  });

/** By its form in addresses; a subcategory is shown under any category that there is. */
export function categoryPage(tools: PageTools, name: string, subcategory?: string): PageAnswer {
  const category = categoryByName(name);
  const shelf = subcategory === undefined ? null : subcategoryByName(subcategory);
  if (category === null || (subcategory !== undefined && !shelf?.category)) {
    return notFoundPage(tools, 'There is no such category');
  }
  const names = [category.name, ...(shelf === null ? [] : [shelf.name])];
  const title = names.at(-1) ?? category.name;
  return {
    status: 200,
    head: {
      title: `${title} | Oja`,
      description: `${title} from many sellers on Oja. ${PROMISE}`,
      url: `${tools.publicUrl}${categoryPath(category.name, shelf?.name)}`,
    },
  };
}

/** The web app is served all the same, and says in its own words what is missing. */
export const notFoundPage = (
  { publicUrl, path }: PageTools,
  description = 'There is no such page on Oja.',
): PageAnswer => ({
  status: 404,
  head: {
    title: 'Not found | Oja',
    description,
    url: `${publicUrl}${path}`,
    hidden: true,
  },
});
