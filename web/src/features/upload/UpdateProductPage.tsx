import { pagePaths, productPath } from '@oja/contracts/pages';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, PackageSearch } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { isNotFound } from '../../api/failures.js';
import { ownProductQuery } from '../../api/own-products.js';
import type { OwnProduct } from '../../api/types.js';
import * as dashboardFrameStyles from '../../app/layouts/DashboardFrame.module.css';
import { Screen } from '../../app/Screen.js';
import { useIsSuspended } from '../../stores/session.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import * as buttonStyles from '../../ui/Button.module.css';
import { Checkbox } from '../../ui/Checkbox.js';
import { useFocusInvalid } from '../../ui/Field.js';
import { useFocusHeadingOnUnmount } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { placeLabel } from '../goods/PlacePicker.js';
import { type Edits, PICTURES, parsePictures } from './edits.js';
import { allProductFields, displayValue } from './fields.js';
import { PicturePicker } from './Pictures.js';
import { PriceInput, PriceSplit } from './PricePanel.js';
import { PlaceField, ProductInput } from './ProductInputs.js';
import { UploadProgress } from './UploadPage.js';
import * as styles from './UploadPage.module.css';
import { PLACE, PRICE, useUpdate } from './use-update.js';

/** The form to change one's own product. */
export default function UpdateProductPage() {
  const { productId: id = '' } = useParams();
  const { data, error, refetch } = useQuery(ownProductQuery(id));
  if (data === null || isNotFound(error))
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
            {(data !== undefined || error === null) && (
              <p className={layout.muted}>
                {data === undefined ? 'One moment' : data.prod_name}. Tick what you want to change.
              </p>
            )}
          </div>
        </div>
      </div>
      {data === undefined && error === null && <Skeleton height={420} />}
      {data === undefined && error !== null && <LoadFailed onRetry={() => void refetch()} />}
      {data && <UpdateForm key={data.product_id} product={data} />}
    </Screen>
  );
}

/** Only ticked fields open and are sent; the submit button appears with the first tick. */
function UpdateForm({ product }: { readonly product: OwnProduct }) {
  const { form, focusInvalid } = useFocusInvalid();
  const { edits, album, problems, step, setEdit, toggleEdit, update } = useUpdate(
    product,
    focusInvalid,
  );
  const suspended = useIsSuspended();
  const isChanged = Object.keys(edits).length > 0;
  const hasButton = isChanged || step !== undefined;
  // The next page takes the focus only once its code is loaded.
  useFocusHeadingOnUnmount(hasButton);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void update();
  };
  const price = edits[PRICE];
  const tickProps = createTickProps(edits, toggleEdit);
  return (
    <form
      ref={form}
      className={`${layout.twoColumns} ${styles.columns}`}
      onSubmit={submit}
      noValidate
    >
      <section className={`${panelStyles.panel} ${styles.ticks}`} aria-label="What to change">
        <TickField
          {...tickProps(PICTURES, 'Pictures')}
          now={`${product.image_urls.length} pictures; the first is the title picture`}
        >
          <PicturePicker
            album={album}
            pictures={parsePictures(edits)}
            error={problems[PICTURES] ?? problems.imageUrls}
          />
        </TickField>
        {allProductFields(product.subcategory_id).map((field) => (
          <TickField
            key={field.name}
            {...tickProps(field.name, field.label)}
            now={displayValue(product, field)}
          >
            <ProductInput
              field={field}
              value={edits[field.name] ?? ''}
              error={problems[field.name]}
              onChange={(value) => setEdit(field.name, value)}
            />
          </TickField>
        ))}
        <TickField
          {...tickProps(PLACE, 'State and Local Govt')}
          now={placeLabel(product.local_govt)}
        >
          <PlaceField
            localGovt={edits[PLACE] ?? null}
            error={problems.local_govt}
            onPick={(_, localGovt) => setEdit(PLACE, localGovt)}
          />
        </TickField>
      </section>
      <aside className={`${panelStyles.panel} ${styles.price}`} aria-label="Price">
        <TickField
          {...tickProps(PRICE, 'Price')}
          now={`You receive ₦${product.seller_price.toLocaleString('en-NG')}`}
        >
          <PriceInput
            value={price ?? ''}
            error={problems[PRICE]}
            onChange={(value) => setEdit(PRICE, value)}
          />
          <PriceSplit value={price ?? ''} kind="update" />
        </TickField>
        {isChanged && (
          <Button type="submit" size="l" full disabled={suspended} busy={step !== undefined}>
            update Product
          </Button>
        )}
      </aside>
      <UploadProgress step={step} />
    </form>
  );
}

/** Makes the props that connect a row to its tick. */
function createTickProps(edits: Edits, toggleEdit: (name: string) => void) {
  return (name: string, label: string) => ({
    label,
    open: edits[name] !== undefined,
    onTick: () => toggleEdit(name),
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
