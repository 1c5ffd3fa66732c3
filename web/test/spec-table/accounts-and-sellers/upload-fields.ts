import { subcategoryById } from '@oja/domain/rules';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, press, sequence } from '../steps.js';

const page = at('/upload-product', asSeller);

const attributes = [
  ['Fashion', 'Bags', 'color, brand, gender, type'],
  ['Fashion', 'Clothings', 'color, type, size, brand'],
  ['Fashion', 'Watches', 'color, brand, gender, type, water resistant'],
  ['Fashion', 'Cloth Accessories', 'material, color, size, weight, gender, brand'],
  ['Fashion', 'Footwears', 'color, brand, type, gender, size'],
  ['Fashion', 'Jewellery', 'color, gender, material'],
  ['Fashion', 'Fabrics', 'color, size'],
  ['Beauty and Skincare', 'Soap and Body', 'type, brand, weight, category'],
  ['Beauty and Skincare', 'Cream', 'volume, category, brand'],
  ['Beauty and Skincare', 'Perfume', 'gender, brand, volume'],
  ['Beauty and Skincare', 'Wig and Hair Cream', 'gender, brand'],
  ['Beauty and Skincare', 'Make up', 'color, volume, category'],
  ['Phones and Laptop', 'Mobile Phones', 'color, brand, model, condition, memory, water resistant'],
  ['Phones and Laptop', 'Laptop', 'color, brand, model, memory, processor, condition'],
  ['Phones and Laptop', 'Mobile Phone Accessories', 'color, brand, type, ratings'],
  ['Phones and Laptop', 'Tablet', 'color, brand, model, memory, screen size, condition'],
  ['Phones and Laptop', 'Laptop Accessories', 'color, brand, type'],
  ['Electronics', 'Gaming Gadgets', 'color, brand, type'],
  ['Electronics', 'TVs', 'color, brand, type'],
  ['Electronics', 'DVDs', 'color, brand, type'],
  ['Electronics', 'Decoder', 'color, brand, type'],
  ['Electronics', 'Mp3 Players', 'color, brand, type'],
  ['Electronics', 'Fridge and Fans', 'color, brand, type'],
] as const;

/** Subcategories with rules that are not offered anywhere. */
const unoffered = [
  [8, 'Food', 'type'],
  [9, 'Snacks', 'category, weight'],
  [10, 'Cakes', 'type, size'],
  [11, 'Drinks', 'drink, brand'],
  [12, 'Foodstuff', 'type, weight, brand'],
] as const;

const ids: readonly (readonly [id: number, name: string])[] = [
  [1, 'Bags'],
  [2, 'Clothings'],
  [3, 'Watches'],
  [4, 'Cloth Accessories'],
  [5, 'Footwears'],
  [6, 'Jewellery'],
  [7, 'Fabrics'],
  [13, 'Soap and Body'],
  [14, 'Cream'],
  [15, 'Perfume'],
  [16, 'Wig and Hair Cream'],
  [17, 'Make up'],
  [18, 'Mobile Phones'],
  [19, 'Laptop'],
  [20, 'Mobile Phone Accessories'],
  [21, 'Tablet'],
];

/** The labels of the third step, in lower case and without asterisks. */
function labels(stage: Stage): string {
  const step = stage
    .find('.UploadPage-columns section')
    .find((one) => one.textContent?.startsWith('3.'));
  return [...(step?.querySelectorAll('label') ?? [])]
    .map((label) => label.textContent?.replace('*', '').trim().toLowerCase())
    .join(', ');
}

const picked = (category: string, subcategory: string) => press('Category', category, subcategory);
const options = (label: string) => (stage: Stage) => stage.optionsOf(label).join(', ');
const offered = (stage: Stage) =>
  stage
    .find('dialog[open] .ProductInputs-choices b')
    .map((one) => one.textContent)
    .join(', ');

export const uploadFields: readonly Row[] = [
  ...attributes.map(([category, name, extra]) =>
    page(
      `fields of ${name}`,
      `product name, ${extra}, description`,
      labels,
      picked(category, name),
    ),
  ),
  ...unoffered.map(([id, name, extra]) =>
    page(`attributes of subcategory ${id}, ${name}`, extra, () =>
      (subcategoryById(id)?.attributes ?? []).join(', '),
    ),
  ),
  ...ids.map(([id, name]) => page(`id of ${name}`, name, () => subcategoryById(id)?.name)),
  page('its price, whatever the subcategory', 'Your price', 'label'),
  page('how many there are, whatever the subcategory', 'How many do you have?', 'label'),
  page(
    'the choice of a gender',
    'Choose, Male, Female, Unisex',
    options('Gender'),
    picked('Fashion', 'Bags'),
  ),
  page(
    'the choice of a condition',
    'Choose, New, Used',
    options('Condition'),
    picked('Phones and Laptop', 'Laptop'),
  ),
  page(
    'the choice of water resistance',
    'Choose, Yes, No',
    options('Water resistant'),
    picked('Fashion', 'Watches'),
  ),

  page(
    'Category pressed',
    'Electronics, Fashion, Beauty and Skincare, Phones and Laptop',
    offered,
    press('Category'),
  ),
  page(
    'Electronics pressed',
    'TVs, Gaming Gadgets, Fridge and Fans, Decoder, Mp3 Players, DVDs',
    offered,
    press('Category', 'Electronics'),
  ),
  page(
    'Fashion pressed',
    'Bags, Clothings, Watches, Footwears, Jewellery, Cloth Accessories, Fabrics',
    offered,
    press('Category', 'Fashion'),
  ),
  page(
    'Beauty and Skincare pressed',
    'Wig and Hair Cream, Cream, Make up, Soap and Body, Perfume',
    offered,
    press('Category', 'Beauty and Skincare'),
  ),
  page(
    'Phones and Laptop pressed',
    'Mobile Phones, Mobile Phone Accessories, Laptop, Tablet, Laptop Accessories',
    offered,
    press('Category', 'Phones and Laptop'),
  ),
  page(
    'back from the subcategories',
    'Electronics, Fashion, Beauty and Skincare, Phones and Laptop',
    offered,
    press('Category', 'Fashion', 'Back'),
  ),
  page('the state pressed', 'Enugu, Lagos', offered, press('State and Local Govt')),
  page('the state pressed', /Other States.*Coming Soon!/, 'text', press('State and Local Govt')),
  page(
    'Enugu pressed',
    'Enugu North, Enugu-Ezike, Nsukka',
    offered,
    press('State and Local Govt', 'Enugu'),
  ),
  page(
    'Lagos pressed',
    'Agege, Ajeromi-Ifelodun, Almosho, Amuwa-Odofin, Apapa, Eti-Osa, Ibeju-Lekki, Ifaka-Ijaye, Ikeja, Kasofe, Lagos Island, Lagos Mainland, Mushin, Ojo, Oshodi-Isolo, Shamalu, Surulere',
    offered,
    press('State and Local Govt', 'Lagos'),
  ),
  page(
    'a local government pressed',
    'Lagos state/Ikeja LG',
    'button',
    press('State and Local Govt', 'Lagos', 'Ikeja'),
  ),
  page(
    'another category, what was typed',
    '',
    (stage) => stage.value('Product name'),
    sequence(
      picked('Fashion', 'Bags'),
      (stage) => stage.type('Product name', 'Tote'),
      picked('Fashion', 'Watches'),
    ),
  ),
  page(
    'another category, the price typed',
    '',
    (stage) => stage.value('Your price'),
    sequence(
      picked('Fashion', 'Bags'),
      (stage) => stage.type('Your price', '9000'),
      picked('Fashion', 'Watches'),
    ),
  ),
];
