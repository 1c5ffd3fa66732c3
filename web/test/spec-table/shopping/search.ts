import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { attribute, lastSearchParam, press, sequence, texts } from '../steps.js';

const home = at('/');
const search = at('/search-items');
const phone = at('/search-items', (stage) => stage.width(360));
const type = (words: string) => (stage: Stage) => stage.type('Search', words);
const dear = sequence(
  (stage) => stage.type('Price from, in naira', '250,000'),
  (stage) => stage.key('Price from, in naira', 'Enter'),
);
const parameter = (name: string) => (stage: Stage) =>
  new URLSearchParams(stage.address().split('?')[1]).get(name) ?? '';
const names = texts('article h3');
const filterTitles = texts('.FilterPanel-panel legend, .FilterPanel-panel .FilterPanel-title');
const thumb = (which: 'Lowest' | 'Highest', name: string) =>
  attribute(`[aria-label="${which} price"]`, name);

const typing: readonly Row[] = [
  home('a letter typed', '/search-items', (stage) => stage.address().split('?')[0], type('b')),
  home(
    'a letter typed: the names in the address',
    'query,condition,sort,localGovt,min_price,max_price',
    (stage) => [...new URLSearchParams(stage.address().split('?')[1]).keys()].join(),
    type('b'),
  ),
  home('typed: query', 'bag', parameter('query'), type('bag')),
  home('typed: condition', 'New', parameter('condition'), type('bag')),
  home('typed: sort', 'A-Z', parameter('sort'), type('bag')),
  home('typed: localGovt', 'All States/Local Govt', parameter('localGovt'), type('bag')),
  home('typed: min_price', '1000', parameter('min_price'), type('bag')),
  home('typed: max_price', '100000', parameter('max_price'), type('bag')),
  home('one letter more', 'bags', parameter('query'), sequence(type('bag'), type('bags'))),
  home('1 letter', 'Two more letters, and the search begins.', 'text', type('w')),
  home('2 letters', 'One more letter, and the search begins.', 'text', type('wa')),
  home('a mistyped word', 'Did you mean watch?', 'text', type('wacth')),
  home('the name of a shelf', 'Watches in Fashion · 11', 'link', type('watches')),
  home('the name of a shelf: how much is offered', '1 suggestion, below.', 'text', type('watches')),
  home(
    '1 letter: words asked for',
    'not said',
    lastSearchParam('query'),
    sequence(type('w'), (stage) => stage.settled()),
  ),
  home(
    '2 letters: words asked for',
    'not said',
    lastSearchParam('query'),
    sequence(type('wo'), (stage) => stage.settled()),
  ),
  home(
    '2 letters and spaces: words asked for',
    'not said',
    lastSearchParam('query'),
    sequence(type('  wo  '), (stage) => stage.settled()),
  ),
  home('3 letters: words asked for', 'wov', lastSearchParam('query'), type('wov')),
  home('trimmed: words asked for', 'woven bag', lastSearchParam('query'), type('  woven bag ')),
  home('3 letters and fewer again: the results are left', 'Woven bag', names, async (stage) => {
    await type('woven')(stage);
    await stage.sees('1 product found', 'status');
    await type('wo')(stage);
    await stage.sees('One more letter, and the search begins.');
    // The next list is that of the two letters.
    await stage.choose('Sort', 'Z-A');
    await stage.settled();
  }),
  at('/search-items?query=bag+woven')('every word must stand in the name', 'Woven bag', names),
  at('/search-items?query=WOVEN')('in whatever case', 'Woven bag', names),
];

const filters: readonly Row[] = [
  search('as it opens', 'All Category', 'heading'),
  search('the sidebar', 'Category, Price, Location, Condition', filterTitles),
  search(
    'ads of all',
    'All Category16 ads',
    texts('.FilterPanel-panel .FilterPanel-categories li:nth-child(1)'),
  ),
  search(
    'ads of a category',
    'Electronics0 ads',
    texts('.FilterPanel-panel .FilterPanel-categories li:nth-child(2)'),
  ),
  search(
    'ads of another',
    'Fashion16 ads',
    texts('.FilterPanel-panel .FilterPanel-categories li:nth-child(3)'),
  ),
  search('a category pressed', 'Fashion', lastSearchParam('category'), press(/^Fashion/)),
  search('the slider begins at', '1000', thumb('Lowest', 'aria-valuemin')),
  search('the slider ends at', '100000', thumb('Highest', 'aria-valuemax')),
  search('the slider at first, its low end', '1000', thumb('Lowest', 'aria-valuenow')),
  search('the slider at first, its high end', '100000', thumb('Highest', 'aria-valuenow')),
  search('a step of the slider', '2000', thumb('Lowest', 'aria-valuenow'), (stage) =>
    stage.key('Lowest price', 'ArrowRight'),
  ),
  search('a step of the slider: what is asked for', '2000', lastSearchParam('min_price'), (stage) =>
    stage.key('Lowest price', 'ArrowRight'),
  ),
  search(
    'a step down from the end: what is asked for',
    '99000',
    lastSearchParam('max_price'),
    (stage) => stage.key('Highest price', 'ArrowLeft'),
  ),
  search(
    'a price typed: what is asked for',
    '2500',
    lastSearchParam('min_price'),
    sequence(
      (stage) => stage.type('Price from, in naira', '2,500'),
      (stage) => stage.key('Price from, in naira', 'Enter'),
    ),
  ),
  search(
    'a price typed that is too low',
    'Type a price from ₦1,000 to ₦10,000,000.',
    'text',
    sequence(
      (stage) => stage.type('Price from, in naira', '20'),
      (stage) => stage.key('Price from, in naira', 'Enter'),
    ),
  ),
  search(
    'a price typed beyond the slider: what is asked for',
    '250000',
    lastSearchParam('min_price'),
    dear,
  ),
  search('a price typed beyond the slider: up to', '10000000', lastSearchParam('max_price'), dear),
  search(
    'a price typed beyond the slider: what is set',
    '₦250,000 or more, remove',
    'button',
    dear,
  ),
  search(
    'a price typed that is none',
    'Type a price in whole naira, such as 5,000.',
    'text',
    sequence(
      (stage) => stage.type('Price to, in naira', 'cheap'),
      (stage) => stage.key('Price to, in naira', 'Enter'),
    ),
  ),
  search(
    'a highest price typed below the lowest',
    'Type ₦2,000 or more, or lower the lowest first.',
    'text',
    sequence(
      (stage) => stage.key('Lowest price', 'ArrowRight'),
      (stage) => stage.type('Price to, in naira', '1,500'),
      (stage) => stage.key('Price to, in naira', 'Enter'),
    ),
  ),
  search('the location at first', 'All States/Local Govt', 'checked'),
  search(
    'a local government pressed',
    'Ikeja',
    lastSearchParam('localGovt'),
    press('Lagos', 'Ikeja'),
  ),
  search('the condition at first', 'New', 'checked'),
  search('the condition at first: what is asked for', 'New', lastSearchParam('condition')),
  search('Used pressed', 'Used', lastSearchParam('condition'), press('Used')),
  search('Used pressed: what is found', 'Raffia bag', names, press('Used')),
  search('the order at first', 'A-Z', lastSearchParam('sort')),
  search(
    'the orders, those by name first',
    'A-Z, Z-A, Newest, Lowest price, Highest price',
    (stage) => stage.optionsOf('Sort').join(', '),
  ),
  search('A-Z: the first', /^Canvas sneakers, Dress watch 1,/, names),
  search('Z-A chosen: the first', /^Woven bag, Field watch/, names, (stage) =>
    stage.choose('Sort', 'Z-A'),
  ),
  search('Newest chosen: what is asked for', 'newest', lastSearchParam('sort'), (stage) =>
    stage.choose('Sort', 'Newest'),
  ),
  search('Lowest price chosen: what is asked for', 'cheapest', lastSearchParam('sort'), (stage) =>
    stage.choose('Sort', 'Lowest price'),
  ),
  search('Highest price chosen: what is asked for', 'dearest', lastSearchParam('sort'), (stage) =>
    stage.choose('Sort', 'Highest price'),
  ),
  search('how many are found', '15 products found', 'status'),
  at('/search-items?condition=Used')('how many are found', '1 product found', 'status'),
  search(
    'wide: Filters, a button',
    0,
    (stage) => stage.find('.FilterPanel-count').length,
    (stage) => stage.sees('15 products found', 'status'),
  ),
  phone('small: Filters', /^Filters/, 'button'),
  phone('small: Filters pressed', 'Filters', 'dialog', press(/^Filters/)),
  phone(
    'small: in the drawer',
    'Category, Price, Location, Condition',
    texts('dialog legend, dialog .FilterPanel-title'),
    press(/^Filters/),
  ),
  phone(
    'small: the drawer closed',
    0,
    (stage) => stage.find('dialog').length,
    press(/^Filters/, 'Close'),
  ),
];

/** The search in the header, and its results. */
export const searchPage: readonly Row[] = [...typing, ...filters];
