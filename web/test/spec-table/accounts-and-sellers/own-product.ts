import { ownShoe } from '../goods.js';
import { personOf } from '../people.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, callCount, failure, press, sentValue, sequence } from '../steps.js';

const UPDATE = 'PUT /v1/product/update/:productID';
const own = at('/single-product/5/p4', asSeller);
/** It becomes known who is there after the app has said that it checks. */
const restoring = at('/single-product/5/p4', async (stage) => {
  const answer = stage.holds('GET /v1/refresh-token');
  stage.remember(personOf('seller'));
  await stage.sees('Checking who you are');
  answer();
});
const TIMELINE = 'GET /v1/timeline/:kind/:id';
const update = at('/single-product/5/p4/update', asSeller);

const table = (stage: Stage) =>
  stage
    .find('th')
    .map((name) => `${name.textContent} ${name.nextElementSibling?.textContent}`)
    .join(', ');

const newPrice = (naira: string) =>
  sequence(press(/^Price/), (stage) => stage.type('Your price', naira));
const updated = sequence(newPrice('20000'), press('update Product'));

/** The market clears no condition, and would refuse a change of nothing. */
const withoutCondition = (stage: Stage) => {
  const result = { ...ownShoe, subcategory_id: 19, prod_condition: 'New' } as const;
  stage.answers('GET /v1/product/:id', 200, { success: true, subcategoryID: 19, result });
  return sequence(
    press(/^Condition/),
    (on) => on.choose('Condition', 'Choose'),
    press('update Product'),
  )(stage);
};

export const ownProduct: readonly Row[] = [
  own('names and values', /Size 43/, table),
  own(
    'its gallery',
    '1/1',
    (stage) =>
      /\d+\/\d+/.exec(
        stage.find('section[aria-label="Pictures"] [role="status"]')[0]?.textContent ?? '',
      )?.[0],
  ),
  own(
    'the frame of the seller’s pages',
    'All Products',
    (stage) => stage.find('nav[aria-label="Dashboard"] [aria-current]')[0]?.textContent ?? '',
  ),
  restoring('its timeline is read', 1, callCount(TIMELINE)),
  restoring(
    'reads of the timeline before it is known who is there',
    0,
    (stage) =>
      stage.callsTo(TIMELINE).filter(({ headers }) => !headers.has('Authorization')).length,
  ),
  own('edit details pressed', '/single-product/5/p4/update', 'address', press('edit details')),

  ...(
    [
      ['/single-product/5/no%20id', 'This product is not on the market'],
      ['/single-product/5/no%20id/update', 'This is not one of your products'],
    ] as const
  ).map(([screen, words]) =>
    at(screen, asSeller)('an id that no product can have', words, 'heading', (stage) =>
      stage.answers('GET /v1/product/:id', 400, failure('id is not an id')),
    ),
  ),
  update('nothing chosen', 'update Product', 'absent'),
  update('a field chosen', 'update Product', 'button', press(/^Description/)),
  update(
    'a field chosen and let go',
    'update Product',
    'absent',
    press(/^Description/, /^Description/),
  ),
  update('nothing chosen', 'Your price', 'absent'),
  update('the pictures chosen', /Press a picture to remove it/, 'text', press(/^Pictures/)),
  update(
    'too few pictures',
    'minimum number of file is 2.',
    'text',
    press(/^Pictures/, 'update Product'),
  ),
  update(
    'the price chosen: where it starts',
    '10,000',
    (stage) => stage.value('Your price'),
    press(/^Price/),
  ),
  update('a new price: what shoppers pay', '₦22,000', 'text', newPrice('20000')),
  update('the price sent for 20,000', 22_000, sentValue(UPDATE, 'price'), updated),
  update(
    'all that is sent when one field was chosen',
    '{"price":22000}',
    sentValue(UPDATE),
    updated,
  ),
  update(
    'two fields chosen',
    '{"prod_name":"Sneakers","price":22000}',
    sentValue(UPDATE),
    sequence(press(/^Product name/), (stage) => stage.type('Product name', 'Sneakers'), updated),
  ),
  update(
    'a gender taken back',
    '{"gender":""}',
    sentValue(UPDATE),
    sequence(
      press(/^Gender/),
      (stage) => stage.choose('Gender', 'Choose'),
      press('update Product'),
    ),
  ),
  update('a condition taken back', 'Choose one, or untick it.', 'text', withoutCondition),
  update('a condition taken back: what is sent', 0, callCount(UPDATE), withoutCondition),
  update('saved', 'Product updated', 'toast', updated),
  update('saved', '/single-product/5/p4', 'address', updated),
  update('refused', 'something went wrong! Try again.', 'toast', (stage) => {
    stage.answers(UPDATE, 500, failure());
    return updated(stage);
  }),
];
