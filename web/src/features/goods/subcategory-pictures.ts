import { subcategoryByName } from '@oja/domain/rules';

/** One picture per subcategory, named by its id: the first picture of a typical sample product, 192 px. */
const files: Readonly<Record<string, string>> = import.meta.glob(
  '../../assets/subcategories/*.webp',
  {
    eager: true,
    query: '?url',
    import: 'default',
  },
);

/** URL of a subcategory's picture, by the subcategory's name; undefined when it is not offered. */
export function subcategoryPicture(name: string): string | undefined {
  const id = subcategoryByName(name)?.id;
  return files[`../../assets/subcategories/${id}.webp`];
}
