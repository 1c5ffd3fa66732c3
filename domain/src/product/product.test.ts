import { describe, expect, it } from 'vitest';
import { given } from '../../test/given.js';
import { limits } from '../rules/limits.js';
import { nairaToKobo, raisedPriceNaira } from '../rules/money.js';
import { product } from './index.js';

const list = {
  type: 'ListProduct',
  productId: 'phone',
  sellerId: 'ada',
  name: 'Infinix Hot 40',
  price: nairaToKobo(raisedPriceNaira(100_000, 'upload')),
  description: 'One year old',
  subcategoryId: 18,
  state: 'Lagos',
  localGovt: 'Ikeja',
  condition: 'Used',
  attributes: { color: 'Black', brand: 'Infinix' },
  images: ['a.jpg', 'b.jpg'],
  at: '2026-03-01T08:00:00.000Z',
} as const;
const update = { type: 'UpdateProduct', sellerId: 'ada' } as const;
const toggle = { type: 'ToggleAvailability', sellerId: 'ada' } as const;
const remove = { type: 'RemoveProduct', sellerId: 'ada', inTransaction: false } as const;
const highest = (kind: 'upload' | 'update') =>
  nairaToKobo(raisedPriceNaira(limits.typedPriceNaira.max, kind));

describe('a product', () => {
  it('is listed once, with the attributes that say something', () => {
    given(product)
      .when({ ...list, attributes: { color: 'Black', brand: '' } })
      .thenHappens({ type: 'ProductListed', data: { attributes: { color: 'Black' } } });
    given(product, list).when(list).thenRefused({ code: 'listed' });
  });

  it.each([
    ['subcategory_id', { subcategoryId: 8 }],
    ['subcategory_id', { subcategoryId: 99 }],
    ['prod_name', { name: ' ' }],
    ['prod_name', { name: 'a'.repeat(121) }],
    ['description', { description: ' ' }],
    ['description', { description: 'a'.repeat(5_001) }],
    ['price', { price: 0 }],
    ['price', { price: 150 }],
    ['price', { price: highest('upload') + 100 }],
    ['local_govt', { localGovt: 'Nsukka' }],
    ['imageUrls', { images: ['a.jpg'] }],
    ['imageUrls', { images: ['a.jpg', 'a.jpg'] }],
    ['imageUrls', { images: ['1', '2', '3', '4', '5', '6', '7'] }],
    ['volume', { attributes: { volume: '1 l' } }],
    ['volume', { attributes: { volume: 'Phones and Laptop' } }],
    ['category', { attributes: { category: 'Fashion' } }],
    ['color', { attributes: { color: 'x'.repeat(61) } }],
    ['color', { attributes: { color: 1 } }],
    ['water_resistance', { attributes: { water_resistance: 2 } }],
    ['water_resistance', { attributes: { water_resistance: 'yes' } }],
    ['stock', { stock: -1 }],
    ['gender', { subcategoryId: 1, condition: undefined, attributes: { gender: 'Child' } }],
    ['prod_condition', { subcategoryId: 1, attributes: {} }],
  ])('with a wrong %s is refused (%#)', (field, wrong) => {
    given(product)
      .when({ ...list, ...wrong })
      .thenRefused({ kind: 'invalid', errors: { [field]: expect.any(String) } });
  });

  it.each([
    ['name', { name: 'a'.repeat(120) }],
    ['description', { description: 'a'.repeat(5_000) }],
    ['price', { price: highest('upload') }],
    ['price', { price: nairaToKobo(limits.typedPriceNaira.min) }],
    ['pictures', { images: ['1', '2', '3', '4', '5', '6'] }],
    ['stock', { stock: 99_999 }],
    ['stock', { stock: 0 }],
    ['color', { attributes: { color: 'x'.repeat(60) } }],
    ['water_resistance', { attributes: { water_resistance: 0 } }],
    ['water_resistance', { attributes: { water_resistance: 1 } }],
    ['condition', { condition: 'New' }],
  ] as const)('may have a %s as short, long, low or high as this (%#)', (_, right) => {
    given(product)
      .when({ ...list, ...right })
      .thenHappens({ type: 'ProductListed', data: right });
  });

  it.each(['Male', 'Female', 'Unisex'])('may be for %s', (gender) => {
    const { condition: _, ...bag } = { ...list, subcategoryId: 1, attributes: { gender } };
    given(product)
      .when(bag)
      .thenHappens({ type: 'ProductListed', data: { attributes: { gender } } });
  });

  it('may say New, and leave fields empty, where its kind has no condition or no such field', () => {
    const bag = { ...list, subcategoryId: 1, condition: 'New', attributes: { model: '' } } as const;
    given(product).when(bag).thenHappens('ProductListed');
    expect(given(product, bag).state).toHaveProperty('attributes', {});
    expect(given(product, bag).state).toHaveProperty('condition', null);
    given(product, bag)
      .when({ ...update, condition: 'New' })
      .thenNothing();
    given(product, bag)
      .when({ ...update, condition: 'New', name: 'Tote' })
      .thenHappens({ type: 'ProductUpdated', data: { name: 'Tote' } });
    given(product, bag)
      .when({ ...update, condition: 'Used' })
      .thenRefused({ kind: 'invalid', errors: { prod_condition: expect.any(String) } });
  });

  it('may name its top category where there is no attribute of that name', () => {
    const { state } = given(product, { ...list, attributes: { category: 'Phones and Laptop' } });
    expect(state).toHaveProperty('attributes', {});
  });

  it('is changed by its seller alone, while it is there', () => {
    given(product, list)
      .when({ ...update, sellerId: 'bisi', name: 'X' })
      .thenRefused({ kind: 'not-found' });
    given(product)
      .when({ ...update, name: 'X' })
      .thenRefused({ kind: 'not-found' });
    given(product, list, remove)
      .when({ ...update, name: 'X' })
      .thenRefused({ kind: 'not-found' });
    given(product, list, remove).when(toggle).thenRefused({ kind: 'not-found' });
  });

  it('changes only what was chosen', () => {
    given(product, list).when(update).thenRefused({ code: 'nothing_chosen' });
    given(product, list)
      .when({ ...update, name: 'Infinix' })
      .thenHappens({ type: 'ProductUpdated', data: { name: 'Infinix' } });
    given(product, list)
      .when({ ...update, localGovt: 'Agege' })
      .thenHappens({ type: 'ProductUpdated', data: { state: 'Lagos', localGovt: 'Agege' } });
    const { state: before } = given(product, list);
    expect(before).toMatchObject({ condition: 'Used' });
    for (const chosen of [{ name: 'Infinix' }, { localGovt: 'Agege' }, { state: 'Lagos' }])
      expect(given(product, list, { ...update, ...chosen }).state).toEqual({
        ...before,
        ...chosen,
      });
  });

  it('is as its seller has changed it, in all that was chosen', () => {
    const chosen = {
      name: 'Infinix Hot 50',
      price: nairaToKobo(raisedPriceNaira(90_000, 'update')),
      description: 'As good as new',
      state: 'Enugu',
      localGovt: 'Nsukka',
      condition: 'New',
    } as const;
    const attributes = { color: 'Blue', memory: '8 GB' };
    const all = { ...update, ...chosen, attributes };
    given(product, list)
      .when(all)
      .thenHappens({ type: 'ProductUpdated', data: { ...chosen, attributes } });
    expect(given(product, list, all).state).toMatchObject({
      ...chosen,
      priceKind: 'update',
      attributes: { ...attributes, brand: 'Infinix' },
    });
    given(product, list)
      .when({ ...update, state: 'Enugu' })
      .thenRefused({ errors: { local_govt: expect.any(String) } });
    given(product, list)
      .when({ ...update, attributes: { volume: '1 l' } })
      .thenRefused({ errors: { volume: expect.any(String) } });
  });

  it('has two to six other pictures once its seller says so, in their order', () => {
    const images = ['c', 'a'];
    given(product, list)
      .when({ ...update, images })
      .thenHappens({ type: 'ProductUpdated', data: { images } });
    expect(given(product, list, { ...update, images }).state).toMatchObject({ images });
    expect(given(product, list, { ...update, name: 'X' }).state).toMatchObject({
      images: list.images,
    });
    for (const wrong of [['a'], ['a', 'a'], ['a', 'b', 'c', 'd', 'e', 'f', 'g']])
      given(product, list)
        .when({ ...update, images: wrong })
        .thenRefused({ code: 'invalid_product' });
  });

  it('costs at most the highest typed price, raised as an update raises it', () => {
    given(product, list)
      .when({ ...update, price: highest('update') })
      .thenHappens({ type: 'ProductUpdated', data: { priceKind: 'update' } });
    given(product, list)
      .when({ ...update, price: highest('update') + 100 })
      .thenRefused({
        errors: { price: 'must be whole naira, and at most ₦8,000,000 before the raise' },
      });
  });

  it('loses an attribute that is cleared', () => {
    const clear = { ...update, attributes: { color: '' } };
    given(product, list)
      .when(clear)
      .thenHappens({ type: 'ProductUpdated', data: { attributes: { color: '' } } });
    expect(given(product, list, clear).state).toMatchObject({ attributes: { brand: 'Infinix' } });
    expect(given(product, list, clear).state).not.toHaveProperty('attributes.color');
  });

  it('does not change by clearing what is not there', () => {
    given(product, list)
      .when({ ...update, attributes: { memory: '' } })
      .thenNothing();
    given(product, list)
      .when({ ...update, attributes: { memory: '', water_resistance: '' }, name: 'Hot' })
      .thenHappens({ type: 'ProductUpdated', data: { name: 'Hot' } });
  });

  it('is made unavailable and available again', () => {
    given(product, list).when(toggle).thenHappens('ProductMadeUnavailable');
    given(product, list, toggle).when(toggle).thenHappens('ProductMadeAvailable');
    given(product, list, toggle, toggle).when(toggle).thenHappens('ProductMadeUnavailable');
  });

  it('stays as it is wanted to be, however often that is said', () => {
    const off = { ...toggle, wanted: 'unavailable' } as const;
    const on = { ...toggle, wanted: 'available' } as const;
    given(product, list).when(on).thenNothing();
    given(product, list).when(off).thenHappens('ProductMadeUnavailable');
    given(product, list, off).when(off).thenNothing();
    given(product, list, off).when(on).thenHappens('ProductMadeAvailable');
  });

  it('is removed once, and not while it is in a transaction', () => {
    given(product, list).when(remove).thenHappens('ProductRemoved');
    given(product, list, remove).when(remove).thenNothing();
    given(product, list)
      .when({ ...remove, inTransaction: true })
      .thenRefused({ code: 'in_transaction', message: 'This product is still in transaction!' });
  });
});
