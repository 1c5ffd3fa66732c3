import { categoryPath, storePath } from '@oja/contracts/pages';
import { limits, SEARCH_MIN_LENGTH } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { LayoutGrid, Store } from 'lucide-react';
import { Link } from 'react-router-dom';
import { productsQuery } from '../../api/products.js';
import { FEWEST_LETTERS, lettersOf, shelfWords, suggestionsQuery } from '../../api/suggestions.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { askFor, type GoodsFilters } from '../goods/filters.js';
import { type GoodsAnswer, GoodsGrid, shownOnce } from '../goods/GoodsList.js';
import * as shopStyles from '../goods/Shop.module.css';

interface SearchHelpProps {
  readonly typed: string;
  /** The address of a search for other words, everything else as it is. */
  readonly searchFor: (text: string) => string;
}

/** Above the goods: how many letters a search lacks, another spelling, and shelves and stores of that name. */
export function SearchHelp({ typed, searchFor }: SearchHelpProps) {
  const { data } = useQuery(suggestionsQuery(typed));
  const meant = data?.did_you_mean ?? null;
  const ways = [
    ...(data?.shelves ?? []).map((shelf) => ({
      to: categoryPath(shelf.top_category, shelf.subcategory_name),
      icon: LayoutGrid,
      words: shelfWords(shelf),
    })),
    ...(data?.stores ?? []).map(({ businessName }) => ({
      to: storePath(businessName),
      icon: Store,
      words: businessName,
    })),
  ];
  return (
    <div className={lettersOf(typed) < FEWEST_LETTERS ? undefined : shopStyles.help}>
      <p className={`${layout.small} ${shopStyles.hint}`} role="status">
        {lackedBy(lettersOf(typed))}
        {meant !== null && (
          <>
            Did you mean{' '}
            <Link className={layout.link} to={searchFor(meant)} replace>
              {meant}
            </Link>
            ?
          </>
        )}
      </p>
      {ways.length > 0 && (
        <ul className={shopStyles.chips} aria-label="Shelves and stores">
          {ways.map(({ to, icon, words }) => (
            <li key={to}>
              <Link className={`${shopStyles.chip} ${layout.figures}`} to={to}>
                <Icon of={icon} size="s" />
                {words}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function lackedBy(letters: number): string | null {
  if (letters === 0 || letters >= SEARCH_MIN_LENGTH) return null;
  return letters === SEARCH_MIN_LENGTH - 1
    ? 'One more letter, and the search begins.'
    : 'Two more letters, and the search begins.';
}

interface OtherFormsProps {
  readonly typed: string;
  readonly filters: GoodsFilters;
  /** What was found by the words as they were typed: none of those stands here again. */
  readonly goods: GoodsAnswer;
}

/** Below the goods: those whose names have the words in another form, 'hand bag' for 'handbag'. */
export function OtherForms({ typed, filters, goods }: OtherFormsProps) {
  const { data } = useQuery(suggestionsQuery(typed));
  const forms = data?.word_forms ?? null;
  const others = useQuery({
    ...productsQuery({ ...askFor(filters), query: forms ?? '', limit: limits.page.size }),
    enabled: forms !== null,
  });
  const own = new Set(shownOnce(goods.data?.pages ?? []).map((one) => one.product_id));
  const more = others.data?.result.filter((one) => !own.has(one.product_id)) ?? [];
  if (forms === null || more.length === 0) return null;
  return (
    <section className={layout.section} aria-label={`Also found for “${forms}”`}>
      <h2 className={layout.heading}>Also found for “{forms}”</h2>
      <GoodsGrid products={more} />
    </section>
  );
}
