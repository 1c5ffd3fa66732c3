import { subcategoryById } from '@oja/domain/rules';
import { Upload } from 'lucide-react';
import type { FormEvent } from 'react';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { toast } from '../../ui/toast.js';
import { useFocusWrong } from '../../ui/use-focus-wrong.js';
import { CategoryField } from './CategoryField.js';
import { type Draft, withSubcategory } from './draft/draft.js';
import { changeDraft, useDraft } from './draft/store.js';
import { fieldsOf } from './fields.js';
import { PlaceField } from './PlaceField.js';
import { PriceInput, PriceSplit } from './PricePanel.js';
import { ProductInput } from './ProductInput.js';
import { Pictures } from './pictures/Pictures.js';
import { type Problems, problemsOf } from './rules.js';
import { Uploading } from './Uploading.js';
import { useUpload } from './use-upload.js';

const noProblems: Problems = {};

/** The four numbered steps of an upload. */
export function UploadForm({ sellerId }: { readonly sellerId: string }) {
  const draft = useDraft(sellerId);
  const { upload, step, tried } = useUpload(sellerId);
  const { form, focusWrong } = useFocusWrong();
  const problems = tried ? problemsOf(draft) : noProblems;
  const change = (part: Partial<Draft>) => changeDraft(sellerId, (now) => ({ ...now, ...part }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(upload()).length > 0) focusWrong();
  };
  const pickSubcategory = (subcategoryId: number) => {
    const { subcategoryId: before, values, price } = draft;
    changeDraft(sellerId, (now) => withSubcategory(now, subcategoryId));
    if (before !== subcategoryId && wasTyped(draft))
      toast.info('The inputs were cleared.', {
        action: { label: 'Undo', onPress: () => change({ subcategoryId: before, values, price }) },
      });
  };
  return (
    <form ref={form} className="two up" onSubmit={submit} noValidate>
      <div className="stack steps">
        <section className="panel">
          <h2 className="h3 first">1. Category and place</h2>
          <div className="form two">
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
        <section className="panel">
          <h2 className="h3 first">
            3. {subcategoryById(draft.subcategoryId ?? 0)?.name ?? 'The product'}
          </h2>
          <div className="form two">
            {fieldsOf(draft.subcategoryId).map((field) => (
              <ProductInput
                key={field.name}
                field={field}
                value={draft.values[field.name] ?? ''}
                error={problems[field.name]}
                onChange={(value) =>
                  changeDraft(sellerId, (now) => ({
                    ...now,
                    values: { ...now.values, [field.name]: value },
                  }))
                }
              />
            ))}
          </div>
        </section>
      </div>
      <aside className="panel sum" aria-label="Price">
        <h2 className="h3 first">4. Price</h2>
        <PriceInput
          value={draft.price}
          error={problems.price}
          onChange={(price) => change({ price })}
        />
        <PriceSplit digits={draft.price} kind="upload" />
        <Button type="submit" size="l" full busy={step !== undefined}>
          <Icon of={Upload} />
          Upload
        </Button>
      </aside>
      <Uploading step={step} />
    </form>
  );
}

const wasTyped = ({ subcategoryId, values, price }: Draft) =>
  subcategoryId !== null && (price !== '' || Object.values(values).some((value) => value !== ''));
