import { pagePaths } from '@oja/contracts/pages';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { ListChecks, PackageOpen, SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { OwnGoodsAnswer, OwnGoodsFilter } from '../../api/own-products.js';
import type { OwnProduct } from '../../api/types.js';
import { useQueryParams, withParam } from '../../app/address.js';
import { SearchInput } from '../../app/header/SearchInput.js';
import { useIsSuspended } from '../../stores/session.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { CardSkeletons, Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed, StepButton } from '../../ui/States.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { MoreGoods } from '../goods/GoodsList.js';
import { SearchLink } from '../goods/SearchLink.js';
import { BulkActions } from './BulkActions.js';
import { OwnCard } from './OwnCard.js';
import * as styles from './OwnGoods.module.css';
import { useUnavailable } from './unavailable.js';

/** Values of `show` in the address, with the status that each selects. */
const statusByShow = { all: undefined, available: 'AVAILABLE', off: 'UNAVAILABLE' } as const;
type Show = keyof typeof statusByShow;

const isShow = (text: string): text is Show => Object.hasOwn(statusByShow, text);

function parseShow(params: URLSearchParams): Show {
  const show = params.get('show') ?? 'all';
  return isShow(show) ? show : 'all';
}

/** The search text and status in the address. */
export function useOwnGoodsFilter(): OwnGoodsFilter {
  const [params] = useSearchParams();
  return { find: params.get('find') ?? '', status: statusByShow[parseShow(params)] };
}

type OwnGoodsList = UseInfiniteQueryResult<InfiniteData<OwnGoodsAnswer>>;

/** All loaded goods. A product that moved between two pages is listed once. */
export const listOwnGoods = (goods: OwnGoodsList): readonly OwnProduct[] => [
  ...new Map(
    goods.data?.pages.flatMap((page) => page.userDetails).map((one) => [one.product_id, one]),
  ).values(),
];

/** Cards in view when the page opens: their pictures load at once. */
const EAGER_CARDS = 4;

/** The seller's own goods: loading, failed, none, or a list. */
export function OwnGoods({ goods }: { readonly goods: OwnGoodsList }) {
  const suspended = useIsSuspended();
  if (goods.data === undefined && !goods.isError)
    return (
      <div aria-busy="true">
        <Skeleton className={styles.comingTools} />
        <div className={`${productCardStyles.grid} ${styles.comingGoods}`}>
          <CardSkeletons count={6} />
        </div>
      </div>
    );
  const counts = goods.data?.pages[0]?.counts;
  if (counts?.AVAILABLE === 0 && counts.UNAVAILABLE === 0)
    return (
      <EmptyState
        motif="lozenge"
        icon={PackageOpen}
        title="No Products avialable. Kindly make an upload!"
        line="A name, a price and two pictures are enough."
        action={!suspended && <ButtonLink to={pagePaths.upload}>upload</ButtonLink>}
      />
    );
  return <FoundGoods goods={goods} counts={counts} />;
}

type Counts = OwnGoodsAnswer['counts'];

interface FoundGoodsProps {
  readonly goods: OwnGoodsList;
  /** Counts of all the seller's goods, whatever the filters; unknown when what is looked for could not be read. */
  readonly counts: Counts | undefined;
}

/** The tools stay where they are when a search fails, with the focus in the search box. */
function FoundGoods({ goods, counts }: FoundGoodsProps) {
  const [params, go] = useQueryParams();
  const suspended = useIsSuspended();
  const [choosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const several = useRef<HTMLButtonElement>(null);
  const wasChoosing = useRef(choosing);
  useEffect(() => {
    // The button that had the focus is gone with the selection bar.
    if (wasChoosing.current && !choosing) several.current?.focus();
    wasChoosing.current = choosing;
  }, [choosing]);
  const find = params.get('find') ?? '';
  const shown = listOwnGoods(goods);
  // Until the answer for a newly chosen filter is there, the list of the filter before stays, with the counts.
  const isPrevious = goods.isPlaceholderData;
  const seek = (text: string) =>
    go((now) => withParam(now, 'find', text), { replace: true, preventScrollReset: true });
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const stopChoosing = () => {
    setChoosing(false);
    setChosen(new Set());
  };
  return (
    <>
      <h2 className={layout.visuallyHidden}>Your goods</h2>
      <div className={toolbarStyles.toolbar}>
        <div className={toolbarStyles.search}>
          <SearchInput
            label="Find in my products"
            placeholder="Find in my products"
            value={find}
            onChange={seek}
            onClear={() => seek('')}
          />
        </div>
        {!suspended && (
          <Button
            ref={several}
            look="line"
            size="s"
            className={styles.several}
            aria-pressed={choosing}
            onClick={() => (choosing ? stopChoosing() : setChoosing(true))}
          >
            <Icon of={ListChecks} size="s" />
            Choose several
          </Button>
        )}
        <ShowSwitch show={parseShow(params)} counts={counts} />
      </div>
      <Cards
        goods={goods}
        shown={shown}
        chosen={choosing ? chosen : undefined}
        onChoose={choose}
        onAll={() => void go({}, { replace: true })}
      />
      <MoreGoods goods={goods} />
      {choosing && !suspended && (
        <BulkActions
          shown={shown}
          chosen={isPrevious ? [] : shown.filter((one) => chosen.has(one.product_id))}
          isReplacing={isPrevious}
          onChoose={(products) => setChosen(new Set(products.map((one) => one.product_id)))}
          onDone={stopChoosing}
        />
      )}
    </>
  );
}

interface CardsProps {
  readonly goods: OwnGoodsList;
  readonly shown: readonly OwnProduct[];
  /** The ids of the selected products; undefined while nothing is being selected. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly onChoose: (productId: string, isChosen: boolean) => void;
  readonly onAll: () => void;
}

/** The cards of the goods, or why there are none. */
function Cards({ goods, shown, chosen, onChoose, onAll }: CardsProps) {
  const unavailable = new Set(useUnavailable());
  const isPrevious = goods.isPlaceholderData;
  if (goods.data === undefined) return <LoadFailed onRetry={() => void goods.refetch()} />;
  if (shown.length === 0 && isPrevious)
    return (
      <div className={productCardStyles.grid} aria-busy="true">
        <CardSkeletons count={6} />
      </div>
    );
  if (shown.length === 0)
    return (
      <EmptyState
        motif="water"
        icon={SearchX}
        paper
        title="No product matches"
        action={<StepButton onPress={onAll}>Show all</StepButton>}
      />
    );
  return (
    <div className={productCardStyles.grid} aria-busy={isPrevious || undefined}>
      {shown.map((product, i) => (
        <OwnCard
          key={product.product_id}
          product={product}
          unavailable={unavailable.has(product.product_id)}
          eager={i < EAGER_CARDS}
          chosen={chosen?.has(product.product_id)}
          onChoose={(isChosen) => onChoose(product.product_id, isChosen)}
        />
      ))}
    </div>
  );
}

interface ShowSwitchProps {
  readonly show: Show;
  readonly counts: Counts | undefined;
}

/** Links to all, available and unavailable goods. */
function ShowSwitch({ show, counts }: ShowSwitchProps) {
  const to = (next: Show) => (search: string) =>
    `?${withParam(new URLSearchParams(search), 'show', next === 'all' ? '' : next)}`;
  const options = [
    ['all', 'All', counts && counts.AVAILABLE + counts.UNAVAILABLE],
    ['available', 'Available', counts?.AVAILABLE],
    ['off', 'Off', counts?.UNAVAILABLE],
  ] as const;
  return (
    <nav className={toolbarStyles.segments} aria-label="Which products">
      {options.map(([option, label, count]) => (
        <SearchLink
          key={option}
          to={to(option)}
          replace
          preventScrollReset
          aria-current={option === show || undefined}
        >
          {label} {count}
        </SearchLink>
      ))}
    </nav>
  );
}
