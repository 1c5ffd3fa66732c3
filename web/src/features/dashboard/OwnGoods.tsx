import { pagePaths, productPath } from '@oja/contracts/pages';
import { useMutation, useQuery } from '@tanstack/react-query';
import { EyeOff, MapPin, PackageOpen, SearchX, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { ApiError, messageOf } from '../../api/error.js';
import {
  isInTransaction,
  ownProductsQuery,
  reloadGoods,
  removeProduct,
  toggleStatus,
} from '../../api/own-products.js';
import type { OwnProduct } from '../../api/types.js';
import { useAddress } from '../../app/address.js';
import { SearchInput } from '../../app/header/SearchInput.js';
import { focusHeading } from '../../app/Screen.js';
import { useIsSuspended } from '../../stores/session.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { Picture } from '../../ui/Picture.js';
import { Price } from '../../ui/Price.js';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { CardSkeletons, Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import { Switch } from '../../ui/Switch.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { toast } from '../../ui/toast.js';
import { useOnline } from '../../ui/use-browser.js';
import * as styles from './OwnGoods.module.css';
import { noteStatus, useUnavailable } from './unavailable.js';

/** Which of the seller's goods are shown; it lives in the address. */
const shows = ['all', 'available', 'off'] as const;
type Show = (typeof shows)[number];

function showOf(params: URLSearchParams): Show {
  return shows.find((show) => show === params.get('show')) ?? 'all';
}

/** Goods by words in their name, ignoring case, and by whether they are on sale. */
function filterOwn(
  products: readonly OwnProduct[],
  unavailable: ReadonlySet<string>,
  { show, find }: { readonly show: Show; readonly find: string },
): readonly OwnProduct[] {
  const words = find.toLowerCase().split(/\s+/);
  return products.filter((product) => {
    const isOff = unavailable.has(product.product_id);
    const isShown = show === 'all' || (show === 'off') === isOff;
    const name = product.prod_name.toLowerCase();
    return isShown && words.every((word) => name.includes(word));
  });
}

/** Cards in sight when the page opens. */
const FIRST = 4;

/** The seller's own goods in their four states. */
export function OwnGoods() {
  const goods = useQuery(ownProductsQuery);
  const online = useOnline();
  const count = goods.data?.length ?? 0;
  const before = useRef(count);
  useEffect(() => {
    // A card has gone, and with it what had the focus.
    if (count < before.current && document.activeElement === document.body) focusHeading();
    before.current = count;
  }, [count]);
  if (goods.isPending)
    return (
      <div aria-busy="true">
        <Skeleton className={styles.comingTools} />
        <div className={`${productCardStyles.grid} ${styles.comingGoods}`}>
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
        action={<ButtonLink to={pagePaths.upload}>upload</ButtonLink>}
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
      <h2 className={layout.visuallyHidden}>Your goods</h2>
      <div className={toolbarStyles.toolbar}>
        <div className={toolbarStyles.search}>
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
        <div className={productCardStyles.grid}>
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

interface ShowSwitchProps {
  readonly show: Show;
  readonly all: number;
  readonly off: number;
}

/** All, available, off: three ways to the same page. */
function ShowSwitch({ show, all, off }: ShowSwitchProps) {
  const [params] = useSearchParams();
  const to = (next: Show) => {
    const address = new URLSearchParams(params);
    if (next === 'all') address.delete('show');
    else address.set('show', next);
    return `?${address}`;
  };
  const ways = [
    ['all', `All ${all}`],
    ['available', `Available ${all - off}`],
    ['off', `Off ${off}`],
  ] as const;
  return (
    <nav className={toolbarStyles.segments} aria-label="Which products">
      {ways.map(([way, words]) => (
        <Link
          key={way}
          to={to(way)}
          replace
          preventScrollReset
          aria-current={way === show || undefined}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}

interface OwnCardProps {
  readonly product: OwnProduct;
  readonly unavailable: boolean;
  readonly eager: boolean;
}

/** One of the seller's own goods, with its switch and its removal. */
function OwnCard({ product, unavailable, eager }: OwnCardProps) {
  const [asking, setAsking] = useState(false);
  const toggle = useToggle(product.product_id);
  const suspended = useIsSuspended();
  return (
    <article
      className={classes(productCardStyles.card, styles.card, unavailable && styles.unavailable)}
    >
      <Link className={productCardStyles.picture} to={productPath(product)}>
        <Picture
          url={product.image_urls[0]}
          alt={product.prod_name}
          eager={eager}
          sizes="(min-width: 1170px) 220px, (min-width: 640px) 33vw, 50vw"
        />
        {unavailable && (
          <span className={`${productCardStyles.tag} ${styles.offSale}`}>
            <Icon of={EyeOff} size="xs" />
            Unavailable
          </span>
        )}
      </Link>
      <div className={productCardStyles.body}>
        <Price amount={product.price} />
        <h3 className={productCardStyles.name}>{product.prod_name}</h3>
        {product.stock !== undefined && (
          <p className={layout.small}>
            {product.stock === 0 ? (
              <b>Sold out</b>
            ) : (
              `${product.stock.toLocaleString('en-NG')} left`
            )}
          </p>
        )}
        <p className={productCardStyles.place}>
          <Icon of={MapPin} size="xs" />
          <span>
            {product.local_govt}, {product.state}
          </span>
        </p>
        <div className={productCardStyles.actions}>
          <Switch
            on={!unavailable}
            words={['Available', 'Unavailable']}
            of={product.prod_name}
            busy={toggle.isPending}
            locked={suspended}
            onTurn={() => toggle.mutate(unavailable ? 'AVAILABLE' : 'UNAVAILABLE')}
          />
          {!suspended && (
            <button type="button" className={styles.removeButton} onClick={() => setAsking(true)}>
              <Icon of={Trash2} size="s" />
              Remove<span className={layout.visuallyHidden}>, {product.prod_name}</span>
            </button>
          )}
        </div>
      </div>
      <RemoveDialog product={product} open={asking} onClose={() => setAsking(false)} />
    </article>
  );
}

interface RemoveDialogProps {
  readonly product: { readonly product_id: string; readonly prod_name: string };
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks once, by name. */
function RemoveDialog({ product, open, onClose }: RemoveDialogProps) {
  const removal = useRemoval(product.product_id, onClose);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Remove ${product.prod_name}?`}
      foot={
        <div className={layout.row}>
          <Button look="line" className={layout.grow} onClick={onClose}>
            Keep it
          </Button>
          <Button
            look="danger"
            className={layout.grow}
            busy={removal.isPending}
            onClick={() => removal.mutate()}
          >
            Remove
          </Button>
        </div>
      }
    >
      <p>It leaves your store and every list at once. This cannot be taken back.</p>
      <p className={layout.muted}>To take it off sale for a while, make it unavailable instead.</p>
    </Dialog>
  );
}

const IN_TRANSACTION = 'This product is still in transaction!';

/** Available and unavailable, as the server answers it. */
function useToggle(productId: string) {
  return useMutation({
    mutationFn: (status: OwnProduct['status']) => toggleStatus(productId, status),
    onSuccess: (message) => noteStatus(productId, message),
    onError: () => toast.error('Error changing product Status'),
    // A failure too may mean that this page is behind: another tab has removed the product.
    onSettled: () => void reloadGoods(),
  });
}

/** The server's words, or undefined when the product is still in a paid transaction. */
async function removeUnlessOrdered(productId: string): Promise<string | undefined> {
  if (await isInTransaction(productId)) return undefined;
  try {
    return await removeProduct(productId);
  } catch (error) {
    // It was ordered between the question and the removal.
    if (error instanceof ApiError && error.status === 409) return undefined;
    throw error;
  }
}

/** Removal, after the seller was asked. A product in a transaction stays. */
function useRemoval(productId: string, done: () => void) {
  return useMutation({
    mutationFn: () => removeUnlessOrdered(productId),
    onSuccess: async (message) => {
      if (message === undefined) toast.error(IN_TRANSACTION);
      else toast.success(message);
    },
    onError: (error) => toast.error(messageOf(error)),
    // A failure too may mean that this page is behind: another tab has removed the product.
    onSettled: async () => {
      await reloadGoods();
      done();
    },
  });
}
