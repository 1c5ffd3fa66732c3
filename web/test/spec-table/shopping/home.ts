import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { autoplayOptions } from '../autoplay-options.js';
import { catalogue } from '../goods.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asAdmin, asSeller, asSubAdmin, count, press, sequence, texts } from '../steps.js';

const home = at('/');
const LOCATION = 'Filter products by Location:';
const openPlaces = press(/^Filter products by Location:/);
const places = texts('dialog .PlaceDialog-localGovernments li');

const sheet = readFileSync(
  join(import.meta.dirname, '../../../src/ui/Carousel.module.css'),
  'utf8',
);

/** How many cards the carousel's style sheet shows at a width. */
function inView(width: number): number {
  const [always = '', ...wider] = sheet.split('@media (min-width: ');
  const rules = [always, ...wider.filter((rule) => Number.parseInt(rule, 10) <= width)];
  const bases = rules.flatMap((rule) =>
    [...rule.matchAll(/(?:flex: 0 0 |flex-basis: )(.+?);/g)].map(([, basis]) => basis),
  );
  const basis = bases.at(-1) ?? '';
  const parts = /calc\(100% \/ (\d)\)/.exec(basis)?.[1];
  return parts === undefined ? 100 / Number.parseFloat(basis) : Number(parts);
}
const perView = (width: number, cards: number) =>
  home(`cards a view, ${width} px wide`, cards, () => inView(width));

const autoplay = (name: string) => () => {
  const value: unknown = Reflect.get(Object(autoplayOptions.at(-1)), name);
  return typeof value === 'number' ? value : String(value);
};

const told = (stage: Stage) => {
  localStorage.removeItem('oja-release-seen');
  return stage.settled();
};

const tiles = (category: string) => (stage: Stage) => {
  const group = stage
    .find('section.HomePage-category')
    .find((one) => one.querySelector('h3')?.textContent === category);
  return [...(group?.querySelectorAll('li') ?? [])].map((tile) => tile.textContent).join(', ');
};

const trending: readonly Row[] = [
  home('goods that sell', 'Trending products', 'heading'),
  perView(320, 1),
  perView(479, 1),
  perView(480, 2),
  perView(991, 2),
  perView(992, 3),
  perView(1169, 3),
  perView(1170, 4),
  perView(1920, 4),
  home('ms between two cards', 2_000, autoplay('delay'), (stage) =>
    stage.sees('Trending products', 'heading'),
  ),
  home('more goods than are shown', 'view more', 'button'),
  home('view more pressed', 'view less', 'button', press('view more')),
  home(
    'view more pressed, goods shown',
    catalogue.length,
    count('.HomePage-goods article'),
    press('view more'),
  ),
  home('view less pressed', 'view more', 'button', press('view more', 'view less')),
  home(
    'view less pressed, fewer are shown',
    12,
    count('.HomePage-goods article'),
    press('view more', 'view less'),
  ),
  at('/?localGovt=Ikeja')('goods of the region', 'Raffia bag', 'heading'),
  at('/?localGovt=Ikeja')('goods of the region, how many', 2, count('.HomePage-goods article')),
  at('/?localGovt=Ojo')(
    'no goods in the region',
    'Products are currently not in this region!!',
    'heading',
  ),
];

const location: readonly Row[] = [
  home('the location filter', LOCATION),
  home('no place chosen', 'All States/Local Govt'),
  home('opened', 'All States/Local Govt', 'button', openPlaces),
  home('opened', 'Enugu', 'button', openPlaces),
  home('opened', 'Lagos', 'button', openPlaces),
  home('opened', /^Other States/, 'text', openPlaces),
  home('Other States', 'Coming Soon!', 'text', openPlaces),
  home('opened, no state is open', '', places, openPlaces),
  home(
    'Enugu pressed',
    'Enugu North, Enugu-Ezike, Nsukka',
    places,
    sequence(openPlaces, press('Enugu')),
  ),
  home(
    'Lagos pressed',
    'Agege, Ajeromi-Ifelodun, Almosho, Amuwa-Odofin, Apapa, Eti-Osa, Ibeju-Lekki, Ifaka-Ijaye, Ikeja, Kasofe, Lagos Island, Lagos Mainland, Mushin, Ojo, Oshodi-Isolo, Shamalu, Surulere',
    places,
    sequence(openPlaces, press('Lagos')),
  ),
  home(
    'Enugu, then Lagos pressed: Enugu',
    'Nsukka',
    'absent',
    sequence(openPlaces, press('Enugu', 'Lagos')),
  ),
  home('Enugu pressed twice', '', places, sequence(openPlaces, press('Enugu', 'Enugu'))),
  home(
    'a local government chosen: the label',
    'Lagos state/Ikeja LG',
    'text',
    sequence(openPlaces, press('Lagos', 'Ikeja')),
  ),
  home(
    'a local government chosen: the goods',
    2,
    count('.HomePage-goods article'),
    sequence(openPlaces, press('Lagos', 'Ikeja')),
  ),
  at('/?localGovt=Ikeja')(
    'all chosen: the label',
    'All States/Local Govt',
    'text',
    sequence(openPlaces, press('All States/Local Govt')),
  ),
  at('/?localGovt=Ikeja')(
    'all chosen: the goods',
    '16 products',
    'status',
    sequence(openPlaces, press('All States/Local Govt')),
  ),
];

const categories: readonly Row[] = [
  home('the grid', 'CATEGORIES', 'heading'),
  home(
    'tiles of Electronics',
    'TVs, Gaming Gadgets, Fridge and Fans, Decoder, Mp3 Players, DVDs',
    tiles('Electronics'),
  ),
  home(
    'tiles of Fashion',
    'Bags, Clothings, Watches, Footwears, Jewellery, Cloth Accessories, Fabrics',
    tiles('Fashion'),
  ),
  home(
    'tiles of Beauty and Skincare',
    'Wig and Hair Cream, Cream, Make up, Soap and Body, Perfume',
    tiles('Beauty and Skincare'),
  ),
  home(
    'tiles of Phones and Laptop',
    'Mobile Phones, Mobile Phone Accessories, Laptop, Tablet, Laptop Accessories',
    tiles('Phones and Laptop'),
  ),
  home('tiles with an image', 23, count('section.HomePage-category li img')),
  home('Electronics pressed', '/category/Electronics', 'address', press('Electronics')),
  home('Fashion pressed', '/category/Fashion', 'address', press('Fashion')),
  home(
    'Beauty and Skincare pressed',
    '/category/Beauty-and-Skincare',
    'address',
    press('Beauty and Skincare'),
  ),
  home(
    'Phones and Laptop pressed',
    '/category/Phones-and-Laptop',
    'address',
    press('Phones and Laptop'),
  ),
  home('Make up pressed', '/category/Beauty-and-Skincare/Make-up', 'address', press('Make up')),
];

/** Home: popular goods, places, categories, and the link for sellers. */
export const homePage: readonly Row[] = [
  ...trending,
  ...location,
  ...categories,
  home('SELL pressed by nobody known', '/register', 'address', press('SELL')),
  at('/', asSeller)('SELL pressed by a seller', '/upload-product', 'address', press('SELL')),
  at('/', asSubAdmin)('SELL pressed by a sub-admin', '/upload-product', 'address', press('SELL')),
  at('/', asAdmin)('SELL pressed by an admin', '/admin-dashboard', 'address', press('SELL')),
  home('the first px of scroll with a way back to the top', 251, {
    measure: async (stage) => {
      await stage.settled();
      // The button loads together with the other parts that float over the page.
      await stage.until(() => {
        if (stage.find('[aria-label="Price and Delivery"]').length === 0)
          throw new Error('not yet');
      });
      return stage.pxUntil(() => stage.find('[aria-label="Back to top"]').length > 0, 230);
    },
  }),
  home('the info icon pressed', 'Price and Delivery', 'dialog', press('Price and Delivery')),
  home('Price and Delivery', /GREATER or LESS THAN 5000/, 'text', press('Price and Delivery')),
  home('Price and Delivery', 'Below ₦5,000.00', 'text', press('Price and Delivery')),
  home('Price and Delivery', 'delivery fee of ₦800.00', 'text', press('Price and Delivery')),
  home('Price and Delivery', 'Above ₦5,000.00', 'text', press('Price and Delivery')),
  home('Price and Delivery', 'no fee, delivered in 24 hours', 'text', press('Price and Delivery')),
  home('the update dialog at first', 'New on Oja', 'dialog', told),
  home('the update dialog dismissed', 'New on Oja', 'absent', sequence(told, press('Dismiss'))),
];
