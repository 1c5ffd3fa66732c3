/** Product attributes by their names on the wire. `condition` is sent as `prod_condition`. */
export const attributeNames = [
  'color',
  'brand',
  'gender',
  'type',
  'water_resistance',
  'size',
  'material',
  'weight',
  'category',
  'drink',
  'volume',
  'model',
  'condition',
  'memory',
  'processor',
  'ratings',
  'screen_size',
] as const;
export type AttributeName = (typeof attributeNames)[number];

export const attributeLabels: Readonly<Record<AttributeName, string>> = {
  color: 'Color',
  brand: 'Brand',
  gender: 'Gender',
  type: 'Type',
  water_resistance: 'Water resistant',
  size: 'Size',
  material: 'Material',
  weight: 'Weight',
  category: 'Category',
  drink: 'Drink',
  volume: 'Volume',
  model: 'Model',
  condition: 'Condition',
  memory: 'Memory',
  processor: 'Processor',
  ratings: 'Ratings',
  screen_size: 'Screen size',
};

export const genders = ['Male', 'Female', 'Unisex'] as const;
export const conditions = ['New', 'Used'] as const;
export type Condition = (typeof conditions)[number];

export interface Subcategory {
  readonly id: number;
  readonly name: string;
  /** Null: the subcategory has rules, but sellers cannot list in it. */
  readonly category: string | null;
  readonly attributes: readonly AttributeName[];
}

/** Categories and their subcategories, in display order. */
export const categories = [
  {
    name: 'Electronics',
    subcategories: ['TVs', 'Gaming Gadgets', 'Fridge and Fans', 'Decoder', 'Mp3 Players', 'DVDs'],
  },
  {
    name: 'Fashion',
    subcategories: [
      'Bags',
      'Clothings',
      'Watches',
      'Footwears',
      'Jewellery',
      'Cloth Accessories',
      'Fabrics',
    ],
  },
  {
    name: 'Beauty and Skincare',
    subcategories: ['Wig and Hair Cream', 'Cream', 'Make up', 'Soap and Body', 'Perfume'],
  },
  {
    name: 'Phones and Laptop',
    subcategories: [
      'Mobile Phones',
      'Mobile Phone Accessories',
      'Laptop',
      'Tablet',
      'Laptop Accessories',
    ],
  },
] as const;
export type CategoryName = (typeof categories)[number]['name'];

const table: readonly (readonly [number, string, readonly AttributeName[]])[] = [
  [1, 'Bags', ['color', 'brand', 'gender', 'type']],
  [2, 'Clothings', ['color', 'type', 'size', 'brand']],
  [3, 'Watches', ['color', 'brand', 'gender', 'type', 'water_resistance']],
  [4, 'Cloth Accessories', ['material', 'color', 'size', 'weight', 'gender', 'brand']],
  [5, 'Footwears', ['color', 'brand', 'type', 'gender', 'size']],
  [6, 'Jewellery', ['color', 'gender', 'material']],
  [7, 'Fabrics', ['color', 'size']],
  [8, 'Food', ['type']],
  [9, 'Snacks', ['category', 'weight']],
  [10, 'Cakes', ['type', 'size']],
  [11, 'Drinks', ['drink', 'brand']],
  [12, 'Foodstuff', ['type', 'weight', 'brand']],
  [13, 'Soap and Body', ['type', 'brand', 'weight', 'category']],
  [14, 'Cream', ['volume', 'category', 'brand']],
  [15, 'Perfume', ['gender', 'brand', 'volume']],
  [16, 'Wig and Hair Cream', ['gender', 'brand']],
  [17, 'Make up', ['color', 'volume', 'category']],
  [18, 'Mobile Phones', ['color', 'brand', 'model', 'condition', 'memory', 'water_resistance']],
  [19, 'Laptop', ['color', 'brand', 'model', 'memory', 'processor', 'condition']],
  [20, 'Mobile Phone Accessories', ['color', 'brand', 'type', 'ratings']],
  [21, 'Tablet', ['color', 'brand', 'model', 'memory', 'screen_size', 'condition']],
  [22, 'Laptop Accessories', ['color', 'brand', 'type']],
  [23, 'Gaming Gadgets', ['color', 'brand', 'type']],
  [24, 'TVs', ['color', 'brand', 'type']],
  [25, 'DVDs', ['color', 'brand', 'type']],
  [26, 'Decoder', ['color', 'brand', 'type']],
  [27, 'Mp3 Players', ['color', 'brand', 'type']],
  [28, 'Fridge and Fans', ['color', 'brand', 'type']],
];

function categoryOf(subcategory: string): string | null {
  const found = categories.find((c) => c.subcategories.some((name) => name === subcategory));
  return found?.name ?? null;
}

export const subcategories: readonly Subcategory[] = table.map(([id, name, attributes]) => ({
  id,
  name,
  category: categoryOf(name),
  attributes,
}));

/** The subcategories that sellers may list in. */
export const offeredSubcategories = subcategories.filter((s) => s.category !== null);

/** Null when no subcategory has this id. */
export function subcategoryById(id: number): Subcategory | null {
  return subcategories.find((s) => s.id === id) ?? null;
}

/** A name as it appears in a URL, of a category or of a store: spaces become hyphens. */
export const toSlug = (name: string) => name.trim().replace(/\s+/g, '-');

const sameName = (a: string, b: string) =>
  a.replace(/[-\s]+/g, ' ').toLowerCase() === b.replace(/[-\s]+/g, ' ').toLowerCase();

/** Finds a subcategory by its name or URL form, ignoring case; null when there is none. */
export function subcategoryByName(name: string): Subcategory | null {
  return subcategories.find((s) => sameName(s.name, name)) ?? null;
}

/** Finds a category by its name or URL form, ignoring case; null when there is none. */
export function categoryByName(name: string): (typeof categories)[number] | null {
  return categories.find((c) => sameName(c.name, name)) ?? null;
}
