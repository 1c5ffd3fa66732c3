import { attributeLabels, categories, subcategoryByName } from '@oja/domain/rules';
import { Dialog } from '../../ui/Dialog.js';

/** The categories with the attributes of their goods, to read. */
export function CategoriesDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Categories">
      <p className="muted">Categories change with a release</p>
      {categories.map(({ name, subcategories }) => (
        <section key={name} aria-label={name}>
          <h3 className="h3">{name}</h3>
          <dl className="catlist">
            {subcategories.map((subcategory) => (
              <div key={subcategory}>
                <dt>{subcategory}</dt>
                <dd>{attributesOf(subcategory)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}

function attributesOf(subcategory: string): string {
  const names = subcategoryByName(subcategory)?.attributes ?? [];
  return names.map((name) => attributeLabels[name]).join(', ');
}
