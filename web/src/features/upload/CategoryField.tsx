import { categories, subcategoryById, subcategoryByName } from '@oja/domain/rules';
import { Shapes } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../../ui/Dialog.js';
import { Message } from '../../ui/Field.js';
import { subcategoryPicture } from '../goods/subcategory-pictures.js';
import { PickField } from './PickField.js';
import { PickList } from './PickList.js';

interface CategoryFieldProps {
  readonly subcategoryId: number | null;
  readonly error: string | undefined;
  readonly onPick: (subcategoryId: number) => void;
}

/** Categories, then subcategory, in one dialog. */
export function CategoryField({ subcategoryId, error, onPick }: CategoryFieldProps) {
  const [open, setOpen] = useState(false);
  const [level, setLevel] = useState<string>();
  const chosen = subcategoryId === null ? null : subcategoryById(subcategoryId);
  const category = categories.find(({ name }) => name === level);

  const show = () => {
    setLevel(undefined);
    setOpen(true);
  };
  const pick = (name: string) => {
    const picked = subcategoryByName(name);
    if (picked !== null) onPick(picked.id);
    setOpen(false);
  };
  return (
    <>
      <PickField
        label="Category"
        icon={Shapes}
        chosen={chosen === null ? undefined : `${chosen.category}, ${chosen.name}`}
        error={error}
        onOpen={show}
      />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={category?.name ?? 'Category'}
        {...(category && { onBack: () => setLevel(undefined) })}
      >
        {category === undefined ? (
          <PickList
            names={categories.map(({ name }) => name)}
            chosen={chosen?.category ?? undefined}
            onPick={setLevel}
            pictureOf={firstPicture}
            leadsOn
          />
        ) : (
          <PickList
            names={category.subcategories}
            chosen={chosen?.name}
            onPick={pick}
            pictureOf={subcategoryPicture}
          />
        )}
        {chosen !== null && (
          <Message kind="hint" className="picknote">
            Changing the category clears the inputs.
          </Message>
        )}
      </Dialog>
    </>
  );
}

/** A category is shown by the first of its goods. */
function firstPicture(category: string): string | undefined {
  const first = categories.find(({ name }) => name === category)?.subcategories[0];
  return first === undefined ? undefined : subcategoryPicture(first);
}
