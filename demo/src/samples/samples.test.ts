import { createHash } from 'node:crypto';
import {
  businessNameKey,
  businessNameProblem,
  genders,
  isPlace,
  limits,
  nairaToKobo,
  sellerShare,
  subcategoryById,
} from '@oja/domain';
import { describe, expect, it } from 'vitest';
import type { GOODS } from '../pictures/goods/index.js';
import { parseShot } from '../pictures/shots.js';
import { colourNamed } from '../pictures/studio/colours.js';
import { FIRST_SEED } from '../seed/seed.js';
import { isShowy, productLinesOf } from './products.js';
import { generateSamples } from './samples.js';
import { PLACES } from './sellers.js';
import { OFFERED, planStalls } from './stalls.js';
import type { Samples } from './types.js';

const FIRST_START = FIRST_SEED;
/** The period in which the market counts trending goods. */
const TRENDING_HOURS = 30 * 24;
/** Goods below the carousel of the home page, before 'view more'. */
const UNDER_CAROUSEL = 12;
const SEEDS = [0, 1, 2, 7, 2026];

/** Enough products for every variant of every line to appear. */
const MANY = { products: 5_000, sellers: 12, orders: 0, seed: 1 };
/** A shopper sees several products of a type side by side when a fresh market has at least this many. */
const COMMON = 6;

/** Prices in naira that a shopper in Lagos would believe, from a small used product to a large new one. */
const BELIEVED: Readonly<Record<keyof typeof GOODS, readonly [from: number, to: number]>> = {
  phone: [40_000, 1_500_000],
  tablet: [30_000, 1_200_000],
  laptop: [80_000, 2_500_000],
  tv: [25_000, 2_000_000],
  fan: [15_000, 250_000],
  fridge: [100_000, 2_000_000],
  handfan: [500, 10_000],
  perfume: [2_000, 150_000],
  pot: [1_000, 50_000],
  shoe: [2_000, 120_000],
  garment: [3_000, 150_000],
  cloth: [5_000, 150_000],
  yarn: [500, 30_000],
  bag: [3_000, 150_000],
  watch: [3_000, 300_000],
  headphones: [4_000, 250_000],
  radio: [4_000, 120_000],
  powerbank: [5_000, 100_000],
  charger: [2_000, 50_000],
  gamepad: [4_000, 200_000],
  joystick: [10_000, 250_000],
  disc: [1_000, 40_000],
  tape: [1_000, 15_000],
  decoder: [8_000, 250_000],
  keyboard: [5_000, 120_000],
  mouse: [2_000, 60_000],
  printer: [60_000, 900_000],
  jewel: [2_000, 300_000],
  lipstick: [1_000, 50_000],
  mirror: [2_000, 80_000],
  soap: [500, 15_000],
  sponge: [500, 15_000],
  comb: [500, 20_000],
  wear: [1_000, 60_000],
};

const hashOf = ({ sellers, products, orders, reviews }: Samples): string =>
  createHash('sha256')
    .update(JSON.stringify([[...sellers], [...products], [...orders], [...reviews]]))
    .digest('hex');

const firstStart = generateSamples(FIRST_START);
const sellers = [...firstStart.sellers];
const products = [...firstStart.products];
const orders = [...firstStart.orders];
const reviews = [...firstStart.reviews];

describe('sample goods', () => {
  it('are the same for the same seed, and others for another', () => {
    const again = generateSamples(FIRST_START);
    expect(hashOf(again)).toBe(hashOf(firstStart));
    expect(hashOf(again)).toBe(hashOf(again));
    expect(hashOf(generateSamples({ ...FIRST_START, seed: 2 }))).not.toBe(hashOf(firstStart));
  });

  it.each(SEEDS)(
    'cover every subcategory and every place without a name twice, with seed %i',
    (seed) => {
      const goods = [...generateSamples({ ...FIRST_START, seed }).products];
      expect(new Set(goods.map(({ subcategoryId }) => subcategoryId)).size).toBe(OFFERED.length);
      expect(new Set(goods.map(({ state, localGovt }) => `${state}/${localGovt}`)).size).toBe(
        PLACES.length,
      );
      expect(new Set(goods.map(({ prod_name }) => prod_name)).size).toBe(goods.length);
    },
  );

  it('fill the table of their subcategory, no row more and none less', () => {
    for (const { subcategoryId, attributes, condition, prod_name } of products) {
      const table = OFFERED.find(({ id }) => id === subcategoryId);
      expect(Object.keys(attributes).sort(), prod_name).toEqual(
        [...(table?.attributes ?? [])].sort(),
      );
      expect(condition !== null, prod_name).toBe(table?.hasCondition);
    }
  });

  it('keep within the limits of the market', () => {
    for (const product of products) {
      expect(product.prod_name.length).toBeLessThanOrEqual(limits.productName.max);
      expect(product.prod_name).not.toMatch(/[{}]/);
      expect(product.description.length).toBeLessThanOrEqual(limits.description.max);
      expect(isPlace(product.state, product.localGovt)).toBe(true);
      for (const value of Object.values(product.attributes)) {
        expect(String(value).length).toBeGreaterThan(0);
        expect(String(value).length).toBeLessThanOrEqual(limits.attribute.max);
      }
      expect([undefined, ...genders]).toContain(product.attributes.gender);
      expect([undefined, 0, 1]).toContain(product.attributes.water_resistance);
    }
  });

  it('have a whole typed price that comes back exactly out of the raised one', () => {
    for (const { priceTypedNaira, priceNaira } of products) {
      expect(Number.isInteger(priceTypedNaira)).toBe(true);
      expect(priceTypedNaira).toBeLessThanOrEqual(limits.typedPriceNaira.max);
      expect(sellerShare(nairaToKobo(priceNaira), 'upload')).toBe(nairaToKobo(priceTypedNaira));
    }
  });

  it('are of both conditions', () => {
    expect(new Set(products.map(({ condition }) => condition))).toEqual(
      new Set([null, 'New', 'Used']),
    );
  });

  it('have 3 or 4 different pictures of one thing, from different sides, the title picture first', () => {
    for (const { images } of products) {
      expect(new Set(images).size).toBe(images.length);
      const shots = images.map(parseShot);
      expect([3, 4]).toContain(images.length);
      expect(new Set(shots.map((shot) => `${shot?.drawing} ${shot?.colour}`)).size).toBe(1);
      expect(shots.map((shot) => shot?.view).slice(0, 3)).toEqual(['front', 'side', 'detail']);
    }
  });

  it('show each line in a drawing that no other line has', () => {
    const drawn = OFFERED.flatMap(({ id }) => productLinesOf(id).map((line) => line.drawing));
    expect(drawn.length).toBeGreaterThan(180);
    expect(drawn.filter((one, at) => drawn.indexOf(one) !== at)).toEqual([]);
  });

  it('of a common type are of four models at least, and there are few of each', () => {
    const models = new Map<string, string[]>();
    for (const { images } of products) {
      const [type = '', model = ''] = parseShot(images[0] ?? '')?.drawing.split('/') ?? [];
      models.set(type, [...(models.get(type) ?? []), model]);
    }
    const common = [...models].filter(([, shown]) => shown.length >= COMMON);
    expect(common.length).toBeGreaterThan(12);
    for (const [type, shown] of common) expect(new Set(shown).size, type).toBeGreaterThanOrEqual(4);
    for (const shown of models.values())
      for (const model of shown)
        expect(shown.filter((one) => one === model).length, model).toBeLessThanOrEqual(2);
  });

  it('cost what a shopper expects of their type', () => {
    for (const { images, prod_name, priceNaira } of generateSamples(MANY).products) {
      const type = parseShot(images[0] ?? '')?.drawing.split('/')[0] ?? '';
      const [from, to] = Object.entries(BELIEVED).find(([name]) => name === type)?.[1] ?? [0, 0];
      expect(priceNaira, prod_name).toBeGreaterThanOrEqual(from);
      expect(priceNaira, prod_name).toBeLessThanOrEqual(to);
    }
  });

  it('have the colour that their name says, in a table with colours', () => {
    for (const { prod_name, attributes, images } of products) {
      const { color } = attributes;
      if (color === undefined) continue;
      expect(prod_name).toContain(String(color));
      expect(parseShot(images[0] ?? '')?.colour).toBe(colourNamed(String(color)));
    }
  });

  it('belong to sellers who had joined by then, and every seller has some', () => {
    for (const { sellerIndex, listedHoursAgo } of products) {
      expect(sellers[sellerIndex]?.joinedHoursAgo).toBeGreaterThan(listedHoursAgo);
    }
    expect(new Set(products.map(({ sellerIndex }) => sellerIndex)).size).toBe(sellers.length);
  });

  it('come in any number without being kept: the last of 100,000 is made like the first', () => {
    const many = generateSamples({ products: 100_000, sellers: 300, orders: 0, seed: 5 });
    const started = performance.now();
    let count = 0;
    for (const product of many.products) count += product.images.length > 1 ? 1 : 0;
    console.info(`100,000 sample goods made in ${Math.round(performance.now() - started)} ms`);
    expect(count).toBe(100_000);
  });
});

describe('sample sellers', () => {
  const many = [...generateSamples({ products: 0, sellers: 3_000, orders: 0, seed: 3 }).sellers];

  it('have business names that may be used, and no two the same one', () => {
    const problems = many.map(({ businessName }) => businessNameProblem(businessName));
    expect(new Set(problems)).toEqual(new Set([null]));
    const keys = new Set(many.map(({ businessName }) => businessNameKey(businessName)));
    expect(keys.size).toBe(many.length);
  });

  it('could sign up: name, phone and password are long enough', () => {
    for (const { name, phone_1, password } of many) {
      expect(name.length).toBeGreaterThanOrEqual(limits.sellerName.min);
      expect(phone_1).toMatch(/^\d{11}$/);
      expect(password.length).toBeGreaterThanOrEqual(limits.password.min);
    }
  });

  it('begin with the same twelve whatever the seed, so they can be named in print', () => {
    const names = (seed: number) =>
      [...generateSamples({ ...FIRST_START, seed }).sellers].map((seller) => seller.businessName);
    expect(names(1)).toEqual(names(99));
  });
});

describe('sample orders', () => {
  it('come to every end', () => {
    expect(new Set(orders.map(({ outcome }) => outcome))).toEqual(
      new Set(['paid', 'delivered', 'notYet', 'disputed', 'abandoned']),
    );
  });

  it('hold 1 to 4 different goods that were listed by then, sometimes of two sellers', () => {
    for (const { lines, placedHoursAgo } of orders) {
      expect(lines.length).toBeGreaterThanOrEqual(1);
      expect(lines.length).toBeLessThanOrEqual(4);
      expect(new Set(lines.map(({ productIndex }) => productIndex)).size).toBe(lines.length);
      for (const { productIndex, sellerIndex } of lines) {
        expect(products[productIndex]?.listedHoursAgo).toBeGreaterThan(placedHoursAgo);
        expect(products[productIndex]?.sellerIndex).toBe(sellerIndex);
      }
    }
    const sellersIn = orders.map(
      ({ lines }) => new Set(lines.map((line) => line.sellerIndex)).size,
    );
    expect(sellersIn).toContain(1);
    expect(sellersIn).toContain(2);
  });

  it('put what looks good first on the first page of a fresh market', () => {
    const sold = new Map<number, number>();
    for (const { lines, outcome, placedHoursAgo } of orders) {
      if (outcome === 'abandoned' || placedHoursAgo > TRENDING_HOURS) continue;
      for (const { productIndex, quantity } of lines)
        sold.set(productIndex, (sold.get(productIndex) ?? 0) + quantity);
    }
    const trending = (index: number) => sold.get(index) ?? 0;
    const first = products
      .toSorted(
        (one, other) =>
          trending(other.index) - trending(one.index) || one.listedHoursAgo - other.listedHoursAgo,
      )
      .slice(0, limits.carousel.size + UNDER_CAROUSEL);
    const stalls = planStalls(FIRST_SEED);
    const plain = first.filter(({ index }) => !isShowy(stalls, index));
    expect(plain.map(({ prod_name }) => prod_name)).toEqual([]);
    const shown = products.filter(({ index }) => isShowy(stalls, index));
    expect(shown.length).toBeLessThan(products.length / 2);
  });

  it('are complained of in words that fit the goods, and not in the same ones again and again', () => {
    const disputed = orders.filter(({ complaint }) => complaint !== null);
    expect(disputed.length).toBeGreaterThan(1);
    expect(new Set(disputed.map(({ complaint }) => complaint)).size).toBe(disputed.length);
    for (const { complaint, lines } of disputed) {
      const first = products[lines[0]?.productIndex ?? -1];
      const category = subcategoryById(first?.subcategoryId ?? 0)?.category;
      const ofFashion = /colour|another size|worn at the edge/.test(complaint ?? '');
      expect(ofFashion, `${first?.prod_name}: ${complaint}`).toBe(category === 'Fashion');
    }
  });

  it('stay under the largest order', () => {
    for (const { lines } of orders) {
      const naira = lines.map(
        (line) => (products[line.productIndex]?.priceNaira ?? 0) * line.quantity,
      );
      expect(nairaToKobo(naira.reduce((sum, price) => sum + price, 0))).toBeLessThanOrEqual(
        limits.orderAmount.max,
      );
    }
  });

  it('can only reach mailboxes and phones that nobody has', () => {
    for (const { buyer } of orders) {
      expect(buyer.email).toMatch(/@(example\.(com|org|net)|ng\.example)$/);
      expect(buyer.phone_number).toMatch(/^07000\d{6}$/);
    }
  });
});

describe('sample reviews', () => {
  it('give every number of stars, most of them five, some without a name', () => {
    const many = [...generateSamples({ ...FIRST_START, orders: 400 }).reviews];
    const counts = [1, 2, 3, 4, 5].map((stars) => many.filter((one) => one.stars === stars).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.indexOf(Math.max(...counts))).toBe(4);
  });

  it('are not the same words again and again, and not written by the clock', () => {
    const texts = reviews.map((review) => review.comment_text);
    expect(new Set(texts).size).toBe(texts.length);
    const lengths = texts.map((words) => words.length);
    expect(Math.max(...lengths)).toBeGreaterThan(4 * Math.min(...lengths));
    const hours = reviews.map((review) => review.postedHoursAgo);
    expect(hours).toEqual([...hours].sort((one, other) => other - one));
    const gaps = hours.slice(1).map((hour, at) => (hours[at] ?? 0) - hour);
    expect(new Set(gaps).size).toBeGreaterThan(gaps.length / 2);
  });

  it('are signed by sample sellers or by nobody', () => {
    const names = new Set(sellers.map(({ businessName }) => businessName));
    const signed = reviews.flatMap(({ businessName }) => businessName ?? []);
    expect(signed.length).toBeGreaterThan(0);
    expect(signed.length).toBeLessThan(reviews.length);
    for (const name of signed) expect(names).toContain(name);
  });
});
