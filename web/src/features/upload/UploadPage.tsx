import { subcategoryById } from '@oja/domain/rules';
import { Upload } from 'lucide-react';
import type { FormEvent } from 'react';
import { Screen } from '../../app/Screen.js';
import { useIsSuspended, useUser } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { Cloth } from '../../ui/Cloth.js';
import { Dialog } from '../../ui/Dialog.js';
import { useFocusInvalid } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { PercentBar } from '../../ui/PercentBar.js';
import * as spinnerStyles from '../../ui/Spinner.module.css';
import { toast } from '../../ui/toast.js';
import { usePendingMarks } from './album.js';
import { changeDraft, type Draft, draftAlbum, useDraft, withSubcategory } from './draft.js';
import { type Problems, productFields, stockField, validateDraft } from './fields.js';
import { Pictures } from './Pictures.js';
import { PriceInput, PriceSplit } from './PricePanel.js';
import { CategoryField, PlaceField, ProductInput } from './ProductInputs.js';
import { stepPercent, stepText, type UploadStep } from './progress.js';
import * as styles from './UploadPage.module.css';
import { useUpload } from './use-upload.js';

/** Upload of a product. The form is the seller's draft, which is kept until the product is uploaded. */
export default function UploadPage() {
  const user = useUser();
  if (user === null) return null;
  return (
    <Screen title="Upload a product">
      <div className={layout.sectionHead}>
        <div>
          <h1>Upload a product</h1>
          <p className={layout.muted}>
            {user.businessName}: fields with <em className={styles.needed}>*</em> are needed.
          </p>
        </div>
      </div>
      <UploadForm sellerId={user.user_id} />
    </Screen>
  );
}

const noProblems: Problems = {};

/** The four numbered steps of an upload. */
function UploadForm({ sellerId }: { readonly sellerId: string }) {
  const draft = useDraft(sellerId);
  const { upload, step, isTried } = useUpload(sellerId);
  const { form, focusInvalid } = useFocusInvalid();
  const suspended = useIsSuspended();
  const coming = usePendingMarks(draftAlbum(sellerId));
  const problems = isTried ? validateDraft(draft, coming.length) : noProblems;
  const change = (part: Partial<Draft>) => changeDraft(sellerId, (now) => ({ ...now, ...part }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(upload()).length > 0) focusInvalid();
  };
  const type = (name: string, value: string) =>
    changeDraft(sellerId, (now) => ({ ...now, values: { ...now.values, [name]: value } }));
  const pickSubcategory = (subcategoryId: number) => {
    const { subcategoryId: before, values, price } = draft;
    changeDraft(sellerId, (now) => withSubcategory(now, subcategoryId));
    if (before !== subcategoryId && hasTypedValues(draft))
      toast.info('The inputs were cleared.', {
        action: { label: 'Undo', onPress: () => change({ subcategoryId: before, values, price }) },
      });
  };
  return (
    <form
      ref={form}
      className={`${layout.twoColumns} ${styles.columns}`}
      onSubmit={submit}
      noValidate
    >
      <div className={`${layout.stack} ${layout.roomy}`}>
        <section className={panelStyles.panel}>
          <h2 className={`${layout.heading} ${layout.atTop}`}>1. Category and place</h2>
          <div className={`${fieldStyles.form} ${fieldStyles.twoColumns}`}>
            <CategoryField
              subcategoryId={draft.subcategoryId}
              error={problems.subcategory}
              onPick={pickSubcategory}
            />
            <PlaceField
              localGovt={draft.localGovt}
              error={problems.place}
              onPick={(state, localGovt) => change({ state, localGovt })}
            />
          </div>
        </section>
        <Pictures sellerId={sellerId} pictures={draft.pictures} error={problems.pictures} />
        <section className={panelStyles.panel}>
          <h2 className={`${layout.heading} ${layout.atTop}`}>
            3. {subcategoryById(draft.subcategoryId ?? 0)?.name ?? 'The product'}
          </h2>
          <div className={`${fieldStyles.form} ${fieldStyles.twoColumns}`}>
            {productFields(draft.subcategoryId).map((field) => (
              <ProductInput
                key={field.name}
                field={field}
                value={draft.values[field.name] ?? ''}
                error={problems[field.name]}
                onChange={(value) => type(field.name, value)}
              />
            ))}
          </div>
        </section>
      </div>
      <aside className={`${panelStyles.panel} ${styles.price}`} aria-label="Price">
        <h2 className={`${layout.heading} ${layout.atTop}`}>4. Price</h2>
        <div className={fieldStyles.form}>
          <PriceInput
            value={draft.price}
            error={problems.price}
            onChange={(price) => change({ price })}
          />
          <ProductInput
            field={stockField}
            value={draft.values[stockField.name] ?? ''}
            error={problems[stockField.name]}
            onChange={(value) => type(stockField.name, value)}
          />
        </div>
        <PriceSplit value={draft.price} kind="upload" />
        <Button type="submit" size="l" full disabled={suspended} busy={step !== undefined}>
          <Icon of={Upload} />
          Upload
        </Button>
      </aside>
      <UploadProgress step={step} />
    </form>
  );
}

const hasTypedValues = ({ subcategoryId, values, price }: Draft) =>
  subcategoryId !== null && (price !== '' || Object.values(values).some((value) => value !== ''));

/** Covers the page while an upload runs, and closes when it ends. */
export function UploadProgress({ step }: { readonly step: UploadStep | null | undefined }) {
  return (
    <Dialog
      open={step != null}
      onClose={ignoreClose}
      plain
      className={styles.progress}
      title="Uploading your product"
      headAction={
        <span className={styles.turningSeal}>
          <i className={spinnerStyles.turning} aria-hidden="true" />
          <Cloth as="span" motif="steps" className={styles.seal}>
            <Icon of={Upload} />
          </Cloth>
        </span>
      }
    >
      {step && (
        <>
          <p className={`${layout.muted} ${layout.centered} ${styles.said}`} role="status">
            {stepText(step)}
          </p>
          <PercentBar value={stepPercent(step)} label="Upload" />
        </>
      )}
    </Dialog>
  );
}

/** Neither Escape nor a press outside stops the upload. */
function ignoreClose() {}
