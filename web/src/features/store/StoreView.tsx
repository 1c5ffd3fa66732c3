import { useInfiniteQuery } from '@tanstack/react-query';
import { SearchX, Store as StoreIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate, useOutletContext } from 'react-router-dom';
import type { Store } from '../../api/types.js';
import { StoreCard } from '../../app/header/StoreCard.js';
import type { TellSeller } from '../../app/layouts/StoreLayout.js';
import { Screen } from '../../app/Screen.js';
import { useAddress } from '../../app/use-address.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { EmptyState } from '../../ui/States.js';
import { useAhead } from '../../ui/use-ahead.js';
import { useSettled } from '../../ui/use-settled.js';
import { readFilters, type Sort, untouchedShelf } from '../goods/filters.js';
import { GoodsList } from '../goods/GoodsList.js';
import { SortSelect } from '../goods/SortSelect.js';
import { ALL_WORDS, TYPING_PAUSE_MS, useAppliedWords } from '../goods/use-applied-words.js';
import '../goods/shop.css';
import { storeGoodsQuery } from './queries.js';

const monthAndYear = new Intl.DateTimeFormat('en-NG', {
  month: 'long',
  year: 'numeric',
  timeZone: 'Africa/Lagos',
});

/** The welcome banner and the goods of one seller, who needs no naming on their cards. */
export function StoreView({ store }: { readonly store: Store }) {
  const navigate = useNavigate();
  const tellSeller = useOutletContext<TellSeller>();
  useEffect(() => tellSeller(store.user_id), [tellSeller, store.user_id]);
  const [params, go] = useAddress();
  const query = params.get('query') ?? '';
  const { sort } = readFilters(params, untouchedShelf);
  const words = useSettled(useAppliedWords(query), TYPING_PAUSE_MS);
  const goods = useInfiniteQuery(storeGoodsQuery(store, sort, words));
  const total = goods.data?.pages[0]?.total ?? store.total;

  const show = (next: { query: string; sort: Sort }, state?: typeof ALL_WORDS) =>
    go(
      {
        ...(next.query !== '' && { query: next.query }),
        ...(next.sort !== 'A-Z' && { sort: next.sort }),
      },
      { replace: true, preventScrollReset: true, state },
    );
  const [chosen, choose] = useAhead(sort, (next: Sort) => show({ query, sort: next }));
  const { local_govt, state } = store;
  return (
    <Screen title={store.businessName} className="page store">
      <StoreCard
        sellerId={store.user_id}
        businessName={store.businessName}
        {...(local_govt !== undefined &&
          state !== undefined && { place: `${local_govt}, ${state}` })}
        since={monthAndYear.format(new Date(store.since))}
        ordersConfirmed={store.orders_confirmed}
        search={query}
        onSearch={(text) => show({ query: text, sort })}
        onClear={() => void navigate('/')}
      />
      <section className="sec" aria-labelledby="goods">
        <div className="hd">
          <h2 id="goods" className="num">
            <span role="status">
              {total.toLocaleString('en-NG')} {total === 1 ? 'product' : 'products'}
            </span>
          </h2>
          <SortSelect value={chosen} onChange={choose} />
        </div>
        <GoodsList
          five
          hideSeller
          goods={goods}
          empty={
            words === '' ? (
              <NothingForSale name={store.businessName} />
            ) : (
              <NothingFound words={words} onAll={() => void show({ query: '', sort }, ALL_WORDS)} />
            )
          }
        />
      </section>
    </Screen>
  );
}

function NothingForSale({ name }: { readonly name: string }) {
  return (
    <EmptyState
      motif="seeds"
      icon={StoreIcon}
      paper
      title={`${name} has nothing for sale just now`}
      line="Look at the rest of the market meanwhile."
      action={
        <ButtonLink look="line" to="/">
          Go to the market
        </ButtonLink>
      }
    />
  );
}

function NothingFound({ words, onAll }: { readonly words: string; readonly onAll: () => void }) {
  return (
    <EmptyState
      motif="water"
      icon={SearchX}
      paper
      title={`Nothing in this store is called “${words}”`}
      line="Every word has to stand in the name."
      action={
        <Button look="line" onClick={onAll}>
          Show all of this store
        </Button>
      }
    />
  );
}
