import { useQuery } from '@tanstack/react-query';
import { PackageOpen, SearchX } from 'lucide-react';
import { ownProductsQuery } from '../../api/own-products.js';
import type { OwnProduct } from '../../api/types.js';
import { SearchInput } from '../../app/header/SearchInput.js';
import { useAddress } from '../../app/use-address.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { CardSkeletons } from '../../ui/CardSkeleton.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { OwnCard } from './OwnCard.js';
import { filterOwn, showOf } from './own-filter.js';
import { ShowSwitch } from './ShowSwitch.js';
import { useUnavailable } from './unavailable.js';

/** Cards in sight when the page opens. */
const FIRST = 4;

/** The seller's own goods in their four states. */
export function OwnGoods() {
  const goods = useQuery(ownProductsQuery);
  const online = useOnline();
  if (goods.isPending)
    return (
      <div aria-busy="true">
        <Skeleton className="sk-tools" />
        <div className="grid">
          <CardSkeletons count={6} />
        </div>
      </div>
    );
  if (goods.isError)
    return online ? <ErrorState onRetry={() => void goods.refetch()} /> : <OfflineState />;
  if (goods.data.length === 0)
    return (
      <EmptyState
        motif="lozenge"
        icon={PackageOpen}
        title="No Products avialable. Kindly make an upload!"
        line="A name, a price and two pictures are enough."
        action={<ButtonLink to="/upload-product">upload</ButtonLink>}
      />
    );
  return <FoundGoods products={goods.data} />;
}

function FoundGoods({ products }: { readonly products: readonly OwnProduct[] }) {
  const [params, go] = useAddress();
  const off = new Set(useUnavailable());
  const show = showOf(params);
  const find = params.get('find') ?? '';
  const shown = filterOwn(products, off, { show, find });
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (value === '') next.delete(name);
    else next.set(name, value);
    return go(next, { replace: true, preventScrollReset: true });
  };
  return (
    <>
      <h2 className="vh">Your goods</h2>
      <div className="toolrow">
        <div className="find">
          <SearchInput
            label="Find in my products"
            placeholder="Find in my products"
            value={find}
            onChange={(text) => change('find', text)}
            onClear={() => change('find', '')}
          />
        </div>
        <ShowSwitch show={show} all={products.length} off={off.size} />
      </div>
      {shown.length === 0 ? (
        <EmptyState
          motif="water"
          icon={SearchX}
          paper
          title="None of your products match"
          action={
            <Button look="line" onClick={() => void go({}, { replace: true })}>
              Show all
            </Button>
          }
        />
      ) : (
        <div className="grid">
          {shown.map((product, i) => (
            <OwnCard
              key={product.product_id}
              product={product}
              unavailable={off.has(product.product_id)}
              eager={i < FIRST}
            />
          ))}
        </div>
      )}
    </>
  );
}
