import { subcategoryByName } from '@oja/domain/rules';

/** One picture a subcategory, named by its id: the title picture of a typical one of the sample goods, of 192 px. */
const files: Readonly<Record<string, string>> = import.meta.glob(
  '../../assets/subcategories/*.webp',
  {
    eager: true,
    query: '?url',
    import: 'default',
  },
);

/** The picture of a subcategory, by its name; undefined for those that are not offered. */
export function subcategoryPicture(name: string): string | undefined {
  const id = subcategoryByName(name)?.id;
  return files[`../../assets/subcategories/${id}.webp`];
}
