import { at, type Row } from '../row.js';
import { lastSearchParam, press, sequence, texts } from '../steps.js';

const beauty = at('/category/Beauty-and-Skincare');
const bags = at('/category/Fashion/Bags');
const NONE = 'Products are currently not in this region!!';
const cards = texts('.CategoryPage-shelves b');

/** Categories and their subcategories. */
export const category: readonly Row[] = [
  beauty('hyphens are spaces', 'Beauty and Skincare', 'heading'),
  beauty('its subcategories', 'Wig and Hair Cream, Cream, Make up, Soap and Body, Perfume', cards),
  beauty(
    'its subcategories with an image',
    5,
    (stage) => stage.find('.CategoryPage-shelves img').length,
  ),
  at('/category/Electronics')(
    'its subcategories',
    'TVs, Gaming Gadgets, Fridge and Fans, Decoder, Mp3 Players, DVDs',
    cards,
  ),
  at('/category/Fashion')(
    'its subcategories',
    'Bags, Clothings, Watches, Footwears, Jewellery, Cloth Accessories, Fabrics',
    cards,
  ),
  at('/category/Phones-and-Laptop')(
    'its subcategories',
    'Mobile Phones, Mobile Phone Accessories, Laptop, Tablet, Laptop Accessories',
    cards,
  ),
  beauty(
    'a subcategory pressed',
    '/category/Beauty-and-Skincare/Make-up',
    'address',
    press(/^Make up/),
  ),
  at('/category/Beauty-and-Skincare/Wig-and-Hair-Cream')(
    'hyphens are spaces',
    'Wig and Hair Cream',
    'heading',
  ),
  bags('as it opens', 'Bags', 'heading'),
  bags(
    'its filters',
    'Fashion, Price, Location, Condition',
    texts('.FilterPanel-panel legend, .FilterPanel-panel .FilterPanel-title'),
  ),
  bags('its products', 'Raffia bag, Woven bag', texts('article h3')),
  bags('what is asked for', 'Bags', lastSearchParam('subcategory')),
  at('/category/fashion/bags')('in whatever case', 'Raffia bag, Woven bag', texts('article h3')),
  bags(
    'a local government pressed',
    'Ikeja',
    lastSearchParam('localGovt'),
    press('Lagos', 'Ikeja'),
  ),
  bags('a local government without any', NONE, 'heading', press('Lagos', 'Ojo')),
  at('/category/Fashion/Bags?localGovt=Ojo')(
    'entered anew: the local government',
    'All States/Local Govt',
    'checked',
    sequence((stage) => stage.settled(), press(/^Watches/)),
  ),
  at('/category/Electronics/TVs')('nothing in it', NONE, 'heading'),
  at('/category/Electronics')('nothing in it', NONE, 'heading'),
];
