import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { press, sequence, texts } from '../steps.js';

const store = at('/sellers-store/Coal-City-Footwear');
const type = (words: string) => (stage: Stage) => stage.type('Search this store', words);

/** Everything one business sells. */
export const storePage: readonly Row[] = [
  store('spaces of the name are hyphens', 'Coal City Footwear', 'heading'),
  store(
    'what is asked for',
    'Coal-City-Footwear',
    (stage) => stage.callsTo('GET /v1/stores/:name')[0]?.params.name,
  ),
  store('its products', 'Canvas sneakers', texts('article h3')),
  store('nothing typed', 'Search', 'button'),
  store('something typed', 'Clear search', 'button', type('can')),
  store(
    'something typed: what is asked for',
    'can',
    (stage) => stage.callsTo('GET /v1/products/search').at(-1)?.query.query,
    type('can'),
  ),
  store('close pressed', '/', 'address', sequence(type('can'), press('Clear search'))),
];
