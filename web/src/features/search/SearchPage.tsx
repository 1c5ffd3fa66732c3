import { categoryPath, storePath } from '@oja/contracts/pages';
import { categories, limits, SEARCH_MIN_LENGTH, SUGGESTIONS_MIN_LENGTH } from '@oja/domain/rules';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { LayoutGrid, SearchX, Store } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { productBatchQuery, productListQuery } from '../../api/products.js';
import { countLetters, shelfLabel, suggestionsQuery } from '../../api/suggestions.js';
import { searchAddress, useRouter } from '../../app/address.js';
import type { PrefetchPage } from '../../app/rendered/hydration.js';
import { Screen } from '../../app/Screen.js';
import { useFocusHeadingOnUnmount } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { EmptyState, StepButton } from '../../ui/States.js';
import { useDebouncedValue } from '../../ui/use-value.js';
import { ShelfLinks } from '../goods/FilterPanel.js';
import {
  activeFilters,
  defaultSearchFilters,
  type GoodsFilters,
  initialWords,
  parseFilters,
  toQuery,
  toSearchParams,
  useAppliedWords,
} from '../goods/filters.js';
import { GoodsGrid, type GoodsQueryResult, uniqueProducts } from '../goods/GoodsList.js';
import { SearchLink } from '../goods/SearchLink.js';
import { FilteredGoods } from '../goods/Shop.js';
import * as shopStyles from '../goods/Shop.module.css';

interface SearchHelpProps {
  readonly typed: string;
}

/** Above the results: how many letters are missing, another spelling, and shelves and stores with that name. */
function SearchHelp({ typed }: SearchHelpProps) {
  const { data } = useQuery(suggestionsQuery(typed));
  const meant = data?.did_you_mean ?? null;
  const links = [
    ...(data?.shelves ?? []).map((shelf) => ({
      to: categoryPath(shelf.top_category, shelf.subcategory_name),
      icon: LayoutGrid,
      label: shelfLabel(shelf),
    })),
    ...(data?.stores ?? []).map(({ businessName }) => ({
      to: storePath(businessName),
      icon: Store,
      label: businessName,
    })),
  ];
  return (
    <div className={countLetters(typed) < SUGGESTIONS_MIN_LENGTH ? undefined : shopStyles.help}>
      <p className={`${layout.small} ${shopStyles.hint}`} role="status">
        {missingLettersHint(countLetters(typed))}
        {meant !== null && <OtherSpelling words={meant} />}
      </p>
      {links.length > 0 && (
        <ul className={shopStyles.chips} aria-label="Shelves and stores">
          {links.map(({ to, icon, label }) => (
            <li key={to}>
              <Link className={`${shopStyles.chip} ${layout.figures}`} to={to}>
                <Icon of={icon} size="s" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Unmounts once the market suggests no better spelling than the one that is searched for. */
function OtherSpelling({ words }: { readonly words: string }) {
  useFocusHeadingOnUnmount();
  return (
    <>
      Did you mean{' '}
      <SearchLink
        className={layout.link}
        to={(search) => searchAddress({ query: words }, search)}
        replace
      >
        {words}
      </SearchLink>
      ?
    </>
  );
}

function missingLettersHint(letters: number): string | null {
  if (letters === 0 || letters >= SEARCH_MIN_LENGTH) return null;
  return letters === SEARCH_MIN_LENGTH - 1
    ? 'One more letter, and the search begins.'
    : 'Two more letters, and the search begins.';
}

interface OtherFormsProps {
  readonly typed: string;
  readonly filters: GoodsFilters;
  /** The results for the words as typed; none of them is shown here again. */
  readonly goods: GoodsQueryResult;
}

/** Below the results: products whose names have another form of the words, such as 'hand bag' for 'handbag'. */
function OtherForms({ typed, filters, goods }: OtherFormsProps) {
  const { data } = useQuery(suggestionsQuery(typed));
  const forms = data?.word_forms ?? null;
  const others = useQuery({
    ...productBatchQuery({
      ...toSearchParams(filters),
      query: forms ?? '',
      limit: limits.page.size,
    }),
    enabled: forms !== null,
  });
  const own = new Set(uniqueProducts(goods.data?.pages ?? []).map((one) => one.product_id));
  const more = others.data?.result.filter((one) => !own.has(one.product_id)) ?? [];
  if (forms === null || more.length === 0) return null;
  return (
    <section
      className={`${layout.section} ${shopStyles.otherForms}`}
      aria-label={`Also found for “${forms}”`}
    >
      <h2 className={layout.heading}>Also found for “{forms}”</h2>
      <GoodsGrid products={more} />
    </section>
  );
}

/** The results of a search. Without words, everything that passes the filters. */
const resultsQuery = (filters: GoodsFilters, words: string) =>
  productListQuery({ ...toSearchParams(filters), ...(words !== '' && { query: words }) });

/** @public read when the server renders the page */
export const prefetch: PrefetchPage = async (client, { search }) => {
  const filters = parseFilters(search, defaultSearchFilters);
  const words = initialWords(search.get('query') ?? '');
  await client.fetchInfiniteQuery(resultsQuery(filters, words));
  return true;
};

const parseQuery = (search: string) => new URLSearchParams(search).get('query') ?? '';
const parseSearchFilters = (search: string) =>
  parseFilters(new URLSearchParams(search), defaultSearchFilters);
/** The address of a search for the words of `search` with other filters. */
const searchUrl = (search: string, filters: GoodsFilters) =>
  searchAddress({ query: parseQuery(search), ...toQuery(filters) });

/** Search results: the words typed in the header, narrowed by the filters in the address. */
export default function SearchPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const { search } = useLocation();
  const query = parseQuery(search);
  const filters = parseSearchFilters(search);
  const words = useDebouncedValue(useAppliedWords(query));
  const goods = useInfiniteQuery(resultsQuery(filters, words));
  const typed = useDebouncedValue(query);

  const onFilters = (next: GoodsFilters, how?: { readonly replace: boolean }) =>
    navigate(searchUrl(router.state.location.search, next), { ...how, preventScrollReset: true });
  const title = filters.category ?? 'All Category';
  return (
    <Screen title={title} className={layout.page}>
      <FilteredGoods
        heading={<h1>{title}</h1>}
        filters={filters}
        defaults={defaultSearchFilters}
        onFilters={onFilters}
        goods={goods}
        above={<SearchHelp typed={typed} />}
        below={!goods.hasNextPage && <OtherForms typed={typed} filters={filters} goods={goods} />}
        renderShelves={(navigation) => (
          <ShelfLinks
            {...navigation}
            title="Category"
            shelves={toShelves(goods.data?.pages[0]?.facets.category, filters)}
          />
        )}
        empty={
          <NoResults
            words={words}
            narrowed={activeFilters(filters).length > 0}
            onAll={() =>
              onFilters({ ...defaultSearchFilters, condition: 'all', sort: filters.sort })
            }
          />
        }
      />
    </Screen>
  );
}

type Counts = readonly { readonly value: string; readonly count: number }[];

function toShelves(counts: Counts | undefined, filters: GoodsFilters) {
  const countOf = (name: string) =>
    counts && (counts.find(({ value }) => value === name)?.count ?? 0);
  const shelf = (name: string, category: GoodsFilters['category'], count: number | undefined) => ({
    name,
    count,
    to: (search: string) => searchUrl(search, { ...parseSearchFilters(search), category }),
    here: filters.category === category,
  });
  return [
    shelf(
      'All Category',
      undefined,
      counts?.reduce((sum, { count }) => sum + count, 0),
    ),
    ...categories.map(({ name }) => shelf(name, name, countOf(name))),
  ];
}

interface NoResultsProps {
  readonly words: string;
  readonly narrowed: boolean;
  readonly onAll: () => void;
}

function NoResults({ words, narrowed, onAll }: NoResultsProps) {
  return (
    <EmptyState
      motif="water"
      icon={SearchX}
      paper
      title={words === '' ? 'No products found' : `No products found for “${words}”`}
      line={
        narrowed
          ? 'Your filters may hide some.'
          : 'Try fewer or other words: every word must be in the name.'
      }
      action={narrowed && <StepButton onPress={onAll}>Remove all filters</StepButton>}
    />
  );
}
