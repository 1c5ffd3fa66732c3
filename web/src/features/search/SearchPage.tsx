import { categories } from '@oja/domain/rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { goodsQuery } from '../../api/products.js';
import { searchAddress } from '../../app/address.js';
import type { FillPage } from '../../app/rendered/handed-over.js';
import { Screen } from '../../app/Screen.js';
import { Button } from '../../ui/Button.js';
import * as layout from '../../ui/layout.module.css';
import { EmptyState } from '../../ui/States.js';
import { useDebouncedValue } from '../../ui/use-value.js';
import { ShelfLinks } from '../goods/FilterPanel.js';
import {
  askFor,
  type GoodsFilters,
  readFilters,
  setFilters,
  untouchedSearch,
  writeFilters,
} from '../goods/filters.js';
import { Shop } from '../goods/Shop.js';
import { TYPING_PAUSE_MS, useAppliedWords, wordsOnArrival } from '../goods/use-applied-words.js';
import { OtherForms, SearchHelp } from './SearchHelp.js';

/** What a search finds. Without words it is all that the filters let through. */
export const foundQuery = (filters: GoodsFilters, words: string) =>
  goodsQuery({ ...askFor(filters), ...(words !== '' && { query: words }) });

export const fill: FillPage = async (client, { search }) => {
  const filters = readFilters(search, untouchedSearch);
  const words = wordsOnArrival(search.get('query') ?? '');
  await client.fetchInfiniteQuery(foundQuery(filters, words));
  return true;
};

/** Search results: what was typed in the header, narrowed by what the address says. */
export default function SearchPage() {
  const navigate = useNavigate();
  const params = new URLSearchParams(useLocation().search);
  const query = params.get('query') ?? '';
  const filters = readFilters(params, untouchedSearch);
  const words = useDebouncedValue(useAppliedWords(query), TYPING_PAUSE_MS);
  const goods = useInfiniteQuery(foundQuery(filters, words));
  const typed = useDebouncedValue(query, TYPING_PAUSE_MS);

  const addressOf = (next: GoodsFilters) => searchAddress({ query, ...writeFilters(next) });
  const onFilters = (next: GoodsFilters, how?: { readonly replace: boolean }) =>
    navigate(addressOf(next), { ...how, preventScrollReset: true });
  const title = filters.category ?? 'All Category';
  return (
    <Screen title={title} className={layout.page}>
      <Shop
        heading={<h1>{title}</h1>}
        filters={filters}
        untouched={untouchedSearch}
        onFilters={onFilters}
        goods={goods}
        above={
          <SearchHelp
            typed={typed}
            searchFor={(text) => searchAddress({ query: text, ...writeFilters(filters) })}
          />
        }
        below={!goods.hasNextPage && <OtherForms typed={typed} filters={filters} goods={goods} />}
        shelves={(way) => (
          <ShelfLinks
            {...way}
            title="Category"
            shelves={shelvesOf(goods.data?.pages[0]?.facets.category, filters, addressOf)}
          />
        )}
        empty={
          <Nothing
            words={words}
            narrowed={setFilters(filters).length > 0}
            onAll={() => onFilters({ ...untouchedSearch, condition: 'all', sort: filters.sort })}
          />
        }
      />
    </Screen>
  );
}

type Counts = readonly { readonly value: string; readonly count: number }[];

function shelvesOf(
  counts: Counts | undefined,
  filters: GoodsFilters,
  addressOf: (next: GoodsFilters) => string,
) {
  const countOf = (name: string) =>
    counts && (counts.find(({ value }) => value === name)?.count ?? 0);
  const shelf = (name: string, category: GoodsFilters['category'], count: number | undefined) => ({
    name,
    count,
    to: addressOf({ ...filters, category }),
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

interface NothingProps {
  readonly words: string;
  readonly narrowed: boolean;
  readonly onAll: () => void;
}

function Nothing({ words, narrowed, onAll }: NothingProps) {
  return (
    <EmptyState
      motif="water"
      icon={SearchX}
      paper
      title={words === '' ? 'No products found' : `No products found for “${words}”`}
      line={
        narrowed
          ? 'Some may lie outside of the filters that are set.'
          : 'Try fewer or other words: every word has to stand in the name.'
      }
      action={
        narrowed && (
          <Button look="line" onClick={onAll}>
            Remove all filters
          </Button>
        )
      }
    />
  );
}
