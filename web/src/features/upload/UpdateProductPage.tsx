import { pagePaths, productPath } from '@oja/contracts/pages';
import { raisedPriceNaira, stateOf } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, PackageSearch } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { isAbsent } from '../../api/failures.js';
import { ownProductQuery, reloadGoods, updateProduct } from '../../api/own-products.js';
import type { Body, OwnProduct } from '../../api/types.js';
import * as dashboardFrameStyles from '../../app/layouts/DashboardFrame.module.css';
import { Screen } from '../../app/Screen.js';
import { useIsSuspended } from '../../stores/session.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import * as buttonStyles from '../../ui/Button.module.css';
import { Checkbox } from '../../ui/Checkbox.js';
import { useFocusWrong } from '../../ui/Field.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { toast } from '../../ui/toast.js';
import { placeLabel } from '../goods/PlacePicker.js';
import { type Album, comingTo, emptyAlbum, listedPicture, useComing } from './album.js';
import {
  changeEdits,
  type Edits,
  editedAlbum,
  editsOf,
  PICTURES,
  picturesOf,
  useEdits,
} from './edits.js';
import {
  FIELDS_MISSING,
  heldValue,
  onWire,
  type Problems,
  picturesProblem,
  priceProblem,
  stockProblem,
  typedFieldsOf,
  wordsOf,
} from './fields.js';
import { PicturePicker } from './Pictures.js';
import { PriceInput, PriceSplit } from './PricePanel.js';
import { PlaceField, ProductInput } from './ProductInputs.js';
import { sendAfresh, sendPictures, type UploadStep } from './send.js';
import { Uploading } from './UploadPage.js';
import * as styles from './UploadPage.module.css';
import { useAskBeforeLeaving, useWayOn } from './use-upload.js';

/** The form to change one's own product. */
export default function UpdateProductPage() {
  const { productId: id = '' } = useParams();
  const { data, error, refetch } = useQuery(ownProductQuery(id));
  if (data === null || isAbsent(error))
    return (
      <Screen title="Update">
        <EmptyState
          motif="steps"
          icon={PackageSearch}
          headingLevel="h1"
          title="This is not one of your products"
          line="It was removed, or it belongs to another store."
          action={<ButtonLink to={pagePaths.dashboard}>All Products</ButtonLink>}
        />
      </Screen>
    );
  return (
    <Screen title={data === undefined ? 'Update' : `Update ${data.prod_name}`}>
      <div className={layout.sectionHead}>
        <div className={`${layout.row} ${dashboardFrameStyles.withBack}`}>
          <Link
            className={buttonStyles.iconButton}
            to={data === undefined ? pagePaths.dashboard : productPath(data)}
            aria-label="Back"
          >
            <Icon of={ArrowLeft} />
          </Link>
          <div>
            <h1>Update product</h1>
            <p className={layout.muted}>
              {data === undefined ? 'One moment' : data.prod_name}. Tick what you want to change.
            </p>
          </div>
        </div>
      </div>
      {data === undefined && error === null && <Skeleton height={420} />}
      {data === undefined && error !== null && <LoadFailed onRetry={() => void refetch()} />}
      {data && <UpdateForm key={data.product_id} product={data} />}
    </Screen>
  );
}

const noProblems: Problems = {};

/** Only ticked fields open and are sent; the submit button appears with the first tick. */
function UpdateForm({ product }: { readonly product: OwnProduct }) {
  const id = product.product_id;
  const edits = useEdits(id);
  const album = editedAlbum(id);
  const coming = useComing(album);
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState(noProblems);
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<UploadStep>();
  const { form, focusWrong } = useFocusWrong();
  const suspended = useIsSuspended();
  const goOn = useWayOn(id, productPath(product));
  useAskBeforeLeaving(busy);
  const problems = tried
    ? { ...refused, ...editProblems(product, edits, coming.length) }
    : noProblems;
  const set = (name: string, value: string) =>
    changeEdits(id, (now) => ({ ...now, [name]: value }));
  const tick = (name: string) => {
    if (name === PICTURES) emptyAlbum(album);
    changeEdits(id, ({ [name]: open, ...others }) =>
      open === undefined ? { ...others, [name]: startOf(product, name) } : others,
    );
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setRefused(noProblems);
    if (busy) return;
    const now = editsOf(id);
    const wrong = editProblems(product, now, comingTo(album).length);
    if (Object.keys(wrong).length > 0) return focusWrong();
    setBusy(true);
    try {
      const imageUrls =
        now[PICTURES] === undefined ? undefined : await sendPictures(album, setStep);
      const body = editBody(product, now, stateOf, imageUrls);
      const message = await updateProduct(id, body);
      const typedMeanwhile = Object.entries(editsOf(id)).filter(([name, value]) =>
        name === PICTURES ? !areSent(album, imageUrls) : value !== now[name],
      );
      const newer = Object.fromEntries(typedMeanwhile);
      if (newer[PICTURES] === undefined) emptyAlbum(album);
      changeEdits(id, () => newer);
      await reloadGoods();
      setStep(undefined);
      // Last: while the bar covers the page, no message outside of it is announced or can be reached.
      toast.success(message);
      if (Object.keys(editsOf(id)).length === 0) goOn();
      else setTried(false);
    } catch (error) {
      console.error(error);
      sendAfresh(album, error);
      setRefused(error instanceof ApiError ? error.errors : noProblems);
      toast.error('something went wrong! Try again.');
      focusWrong();
    } finally {
      setStep(undefined);
      setBusy(false);
    }
  };
  const price = edits[PRICE];
  const rowOf = rowFor(edits, tick);
  return (
    <form
      ref={form}
      className={`${layout.twoColumns} ${styles.columns}`}
      onSubmit={submit}
      noValidate
    >
      <section className={`${panelStyles.panel} ${styles.ticks}`} aria-label="What to change">
        <TickField
          {...rowOf(PICTURES, 'Pictures')}
          now={`${product.image_urls.length} pictures; the first is the title picture`}
        >
          <PicturePicker
            album={album}
            pictures={picturesOf(edits)}
            error={problems[PICTURES] ?? problems.imageUrls}
          />
        </TickField>
        {typedFieldsOf(product.subcategory_id).map((field) => (
          <TickField
            key={field.name}
            {...rowOf(field.name, field.label)}
            now={wordsOf(product, field)}
          >
            <ProductInput
              field={field}
              value={edits[field.name] ?? ''}
              error={problems[field.name]}
              onChange={(value) => set(field.name, value)}
            />
          </TickField>
        ))}
        <TickField {...rowOf(PLACE, 'State and Local Govt')} now={placeLabel(product.local_govt)}>
          <PlaceField
            localGovt={edits[PLACE] ?? null}
            error={problems.local_govt}
            onPick={(_, localGovt) => set(PLACE, localGovt)}
          />
        </TickField>
      </section>
      <aside className={`${panelStyles.panel} ${styles.price}`} aria-label="Price">
        <TickField
          {...rowOf(PRICE, 'Price')}
          now={`You receive ₦${product.seller_price.toLocaleString('en-NG')}`}
        >
          <PriceInput
            value={price ?? ''}
            error={problems[PRICE]}
            onChange={(value) => set(PRICE, value)}
          />
          <PriceSplit value={price ?? ''} kind="update" />
        </TickField>
        {Object.keys(edits).length > 0 && (
          <Button type="submit" size="l" full disabled={suspended} busy={busy}>
            update Product
          </Button>
        )}
      </aside>
      <Uploading step={step} />
    </form>
  );
}

/** Makes the props that connect a row to its tick. */
function rowFor(edits: Edits, tick: (name: string) => void) {
  return (name: string, label: string) => ({
    label,
    open: edits[name] !== undefined,
    onTick: () => tick(name),
  });
}

interface TickFieldProps {
  readonly label: string;
  /** The current value; shown while the field is not being changed. */
  readonly now: string;
  readonly open: boolean;
  readonly onTick: () => void;
  /** The control. */
  readonly children: ReactNode;
}

/** A field that opens when it is ticked. */
function TickField({ label, now, open, onTick, children }: TickFieldProps) {
  return (
    <div className={styles.tick}>
      <Checkbox checked={open} onChange={onTick}>
        <b>{label}</b>
        {!open && <span className={layout.muted}>{now === '' ? 'not said' : now}</span>}
      </Checkbox>
      {open && children}
    </div>
  );
}

/** The one field for state and local government. */
const PLACE = 'place';
const PRICE = 'price';

/** A field's current value, from which its edit starts; for the price, the figure the seller typed. */
function startOf(product: OwnProduct, name: string): string {
  if (name === PLACE) return product.local_govt;
  if (name === PRICE) return String(product.seller_price);
  if (name === PICTURES) return JSON.stringify(product.image_urls.map(listedPicture));
  const field = typedFieldsOf(product.subcategory_id).find((one) => one.name === name);
  return field === undefined ? '' : heldValue(product, field.name);
}

/** Whether the pictures are still those that were sent. One that is still being scaled down is too late. */
const areSent = (album: Album, addresses: readonly string[] = []) =>
  album.now().length === addresses.length &&
  album.now().every(({ address }, place) => address === addresses[place]);

/** Once such a field is ticked, one of its options has to be chosen: the market cannot clear it. */
const NEVER_CLEARED: ReadonlySet<string> = new Set(['condition', 'water_resistance']);

/**
 * The problems that keep the ticked fields from being sent.
 * @param coming how many picked pictures are still being scaled down: sending waits for them
 */
function editProblems(product: OwnProduct, edits: Edits, coming: number): Problems {
  const emptied = typedFieldsOf(product.subcategory_id).filter(
    ({ name }) => edits[name]?.trim() === '',
  );
  const price = edits[PRICE];
  return {
    ...Object.fromEntries(
      emptied.flatMap(({ name, required }) => {
        if (NEVER_CLEARED.has(name)) return [[name, 'Choose one, or untick it.']];
        return required ? [[name, FIELDS_MISSING]] : [];
      }),
    ),
    ...stockProblem(edits.stock),
    ...(price !== undefined && priceProblem(price)),
    ...(edits[PICTURES] !== undefined && picturesProblem(picturesOf(edits).length + coming)),
  };
}

/** The request body with the ticked fields only. A changed price is raised by 10 %. */
function editBody(
  product: OwnProduct,
  edits: Edits,
  stateOf: (localGovt: string) => string | null,
  imageUrls?: string[],
): Body<'updateProduct'> {
  const typed = typedFieldsOf(product.subcategory_id).flatMap(({ name }) => {
    const value = edits[name];
    // An emptied field clears the old value.
    return value === undefined ? [] : Object.entries(onWire(name, value));
  });
  const price = edits[PRICE];
  const place = edits[PLACE];
  return {
    ...Object.fromEntries(typed),
    ...(price !== undefined && { price: raisedPriceNaira(Number(price), 'update') }),
    ...(place !== undefined && { local_govt: place, state: stateOf(place) ?? '' }),
    ...(imageUrls !== undefined && { imageUrls }),
  };
}
