import { stateOf } from '@oja/domain/rules';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../../api/error.js';
import { reloadGoods, updateProduct } from '../../../api/own-products.js';
import type { OwnProduct } from '../../../api/types.js';
import { Button } from '../../../ui/Button.js';
import { productPath } from '../../../ui/paths.js';
import { toast } from '../../../ui/toast.js';
import { useFocusWrong } from '../../../ui/use-focus-wrong.js';
import { placeLabel } from '../../goods/place-label.js';
import { fieldsOf, wordsOf } from '../fields.js';
import { PlaceField } from '../PlaceField.js';
import { PriceInput, PriceSplit } from '../PricePanel.js';
import { ProductInput } from '../ProductInput.js';
import type { Problems } from '../rules.js';
import { editBody, editProblems, PLACE, PRICE, startOf } from './edited.js';
import { type Edits, useEdits } from './kept-edits.js';
import { TickField } from './TickField.js';

const noProblems: Problems = {};

/** A tick per field opens only that field; the button comes with the first tick. */
export function UpdateForm({ product }: { readonly product: OwnProduct }) {
  const navigate = useNavigate();
  const [edits, setEdits] = useEdits(product.product_id);
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState(noProblems);
  const [busy, setBusy] = useState(false);
  const { form, focusWrong } = useFocusWrong();
  const problems = tried ? { ...refused, ...editProblems(product, edits) } : noProblems;
  const set = (name: string, value: string) => setEdits({ ...edits, [name]: value });
  const tick = (name: string) => {
    const { [name]: open, ...others } = edits;
    setEdits(open === undefined ? { ...others, [name]: startOf(product, name) } : others);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setRefused(noProblems);
    if (busy) return;
    if (Object.keys(editProblems(product, edits)).length > 0) return focusWrong();
    setBusy(true);
    try {
      toast.success(await updateProduct(product.product_id, editBody(product, edits, stateOf)));
      setEdits({});
      await reloadGoods();
      await navigate(productPath(product));
    } catch (error) {
      console.error(error);
      setRefused(error instanceof ApiError ? error.errors : noProblems);
      toast.error('something went wrong! Try again.');
      focusWrong();
    } finally {
      setBusy(false);
    }
  };
  const price = edits[PRICE];
  const rowOf = rowFor(edits, tick);
  return (
    <form ref={form} className="two up" onSubmit={submit} noValidate>
      <section className="panel ticks" aria-label="What to change">
        {fieldsOf(product.subcategory_id).map((field) => (
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
      <aside className="panel sum" aria-label="Price">
        <TickField
          {...rowOf(PRICE, 'Price')}
          now={`You receive ₦${product.seller_price.toLocaleString('en-NG')}`}
        >
          <PriceInput
            value={price ?? ''}
            error={problems[PRICE]}
            onChange={(value) => set(PRICE, value)}
          />
          <PriceSplit digits={price ?? ''} kind="update" />
        </TickField>
        {Object.keys(edits).length > 0 && (
          <Button type="submit" size="l" full busy={busy}>
            update Product
          </Button>
        )}
      </aside>
    </form>
  );
}

/** What a field's row needs to know of its tick. */
function rowFor(edits: Edits, tick: (name: string) => void) {
  return (name: string, label: string) => ({
    label,
    open: edits[name] !== undefined,
    onTick: () => tick(name),
  });
}
