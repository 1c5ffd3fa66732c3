import { businessNameKey, states } from '@oja/domain/rules';
import { personName, phoneNumber } from './people.js';
import { itemAt, randomFor } from './random.js';
import type { SamplePlace, SampleSeller } from './types.js';

/** A seller as the tables below describe one: name, shop, home and goods. */
interface KnownSeller {
  readonly name: string;
  readonly businessName: string;
  readonly localGovt: string;
  /** Subcategory ids. */
  readonly sells: readonly number[];
}

/** The first twelve sellers are the same for every seed, so that printed texts can name them. */
const KNOWN_SELLERS: readonly KnownSeller[] = [
  {
    name: 'Adunni Bakare',
    businessName: 'Adunni Textiles',
    localGovt: 'Surulere',
    sells: [7, 2, 1],
  },
  {
    name: 'Chinedu Okafor',
    businessName: 'Coal City Footwear',
    localGovt: 'Enugu North',
    sells: [5, 1],
  },
  {
    name: 'Tunde Balogun',
    businessName: 'Eko Home Electronics',
    localGovt: 'Lagos Island',
    sells: [24, 28, 26],
  },
  {
    name: 'Bisi Adeyemi',
    businessName: 'Glow by Bisi',
    localGovt: 'Ibeju-Lekki',
    sells: [15, 17, 14],
  },
  { name: 'Emeka Ugwu', businessName: 'Nsukka Phones', localGovt: 'Nsukka', sells: [18, 20, 21] },
  {
    name: 'Nkechi Eze',
    businessName: 'Mama Nkechi Beauty',
    localGovt: 'Mushin',
    sells: [13, 14, 16],
  },
  {
    name: 'Musa Abdullahi',
    businessName: 'Musa & Sons Watches',
    localGovt: 'Apapa',
    sells: [3, 6],
  },
  {
    name: 'Kunle Adebayo',
    businessName: 'Ikeja Gadget House',
    localGovt: 'Ikeja',
    sells: [19, 22, 23, 27],
  },
  { name: 'Sade Ogunleye', businessName: 'Sade Wears', localGovt: 'Eti-Osa', sells: [2, 4, 6] },
  {
    name: 'Ifeanyi Nwosu',
    businessName: 'Alaba Sound & Vision',
    localGovt: 'Ojo',
    sells: [25, 27, 26],
  },
  {
    name: 'Ngozi Ezike',
    businessName: 'Ezike Market Store',
    localGovt: 'Enugu-Ezike',
    sells: [4, 7, 13, 5],
  },
  {
    name: 'Segun Lawal',
    businessName: 'Oshodi Phone Corner',
    localGovt: 'Oshodi-Isolo',
    sells: [18, 19, 20, 22],
  },
];

interface Trade {
  readonly words: readonly [string, ...string[]];
  readonly sells: readonly number[];
}

/** Trade names for the sellers after the first twelve, with what they sell. */
const TRADES: readonly Trade[] = [
  { words: ['Fabrics', 'Clothing', 'Fashion House', 'Boutique'], sells: [7, 2, 4] },
  { words: ['Footwear', 'Leather Works', 'Shoes & Bags'], sells: [5, 1] },
  { words: ['Beauty Shop', 'Skincare', 'Cosmetics'], sells: [13, 14, 16, 17] },
  { words: ['Phones', 'Gadgets', 'Phone Hub'], sells: [18, 20, 21] },
  { words: ['Electronics', 'Home Store', 'Appliances'], sells: [24, 26, 28] },
  { words: ['Computers', 'Tech World', 'Laptop Clinic'], sells: [19, 22, 23] },
  { words: ['Jewellers', 'Watches & Gold', 'Accessories'], sells: [3, 6, 15] },
  { words: ['Music & Film', 'Sound Store'], sells: [25, 27] },
];

/** First part of an invented business name; the trade name follows. */
const FRONTS = [
  'Abuja Road',
  'Aminat',
  'Blessed Hands',
  'Bright',
  'Chioma',
  'Danfo',
  'Divine',
  'Emerald',
  'Golden',
  'Greater',
  'Hajia',
  'Heritage',
  'Ijeoma',
  'Iya Basira',
  'Jumoke',
  'Kings',
  'Lekki',
  'Marina',
  'New Era',
  'Obalende',
  'Ogbete',
  'Oluchi',
  'Omotola',
  'Peace',
  'Prime',
  'Royal',
  'Savannah',
  'Sunrise',
  'Tejuosho',
  'Unity',
] as const;

export const PLACES: readonly SamplePlace[] = states.flatMap(({ name, localGovts }) =>
  localGovts.map((localGovt) => ({ state: name, localGovt })),
);

/** Password of every sample seller: these accounts are for looking around, and only a demo creates them. */
export const SAMPLE_PASSWORD = 'market-day';

/** A seller with all the places they sell from, home first, and the ids of the subcategories they sell. */
export interface SellerPlan extends SampleSeller {
  readonly places: readonly [SamplePlace, ...SamplePlace[]];
  readonly sells: readonly number[];
}

const HOURS_A_DAY = 24;
/** How many days ago sellers joined: all before anything was listed, some long before. */
const JOINED_DAYS = { latest: 62, earliest: 540 };

function placeNamed(localGovt: string): SamplePlace {
  const place = PLACES.find((one) => one.localGovt === localGovt);
  if (place === undefined) throw new RangeError(`${localGovt} is not a place Oja delivers in.`);
  return place;
}

/** A seller beyond the known ones; the business name may still be a duplicate. */
function inventedSeller(seed: number, index: number): KnownSeller {
  const random = randomFor(seed, 'seller', index);
  const trade = itemAt(TRADES, index);
  const businessName = `${random.pick(FRONTS)} ${random.pick(trade.words)}`;
  const { localGovt } = itemAt(PLACES, index);
  return { name: personName(random), businessName, localGovt, sells: trade.sells };
}

/** Appends a number to a business name that was used before, because each name belongs to one seller. */
function numbered(sellers: readonly KnownSeller[]): readonly KnownSeller[] {
  const times = new Map<string, number>();
  return sellers.map((seller) => {
    const key = businessNameKey(seller.businessName);
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    return time === 1 ? seller : { ...seller, businessName: `${seller.businessName} ${time}` };
  });
}

/**
 * The places that each seller sells from besides home. Places where nobody is at home become
 * branches, of sellers in the same state if there are any, so that goods come from everywhere.
 */
function branches(homes: readonly SamplePlace[]): ReadonlyMap<number, readonly SamplePlace[]> {
  const everyone = [...homes.keys()];
  const inhabited = new Set(homes.map(({ localGovt }) => localGovt));
  const left = PLACES.filter(({ localGovt }) => !inhabited.has(localGovt));
  const given = new Map<number, readonly SamplePlace[]>();
  for (const [turn, place] of left.entries()) {
    const near = everyone.filter((index) => homes[index]?.state === place.state);
    const keepers = near.length > 0 ? near : everyone;
    const keeper = keepers[turn % keepers.length];
    if (keeper !== undefined) given.set(keeper, [...(given.get(keeper) ?? []), place]);
  }
  return given;
}

/** All the sellers of a seeding, in the order of their indexes. */
export function planSellers(count: number, seed: number): readonly SellerPlan[] {
  const named = numbered(
    Array.from({ length: count }, (_, at) => KNOWN_SELLERS[at] ?? inventedSeller(seed, at)),
  );
  const housed = named.map((seller) => ({ ...seller, home: placeNamed(seller.localGovt) }));
  const elsewhere = branches(housed.map(({ home }) => home));
  return housed.map(({ name, businessName, home, sells }, index) => {
    const days = randomFor(seed, 'joined', index).between(JOINED_DAYS.latest, JOINED_DAYS.earliest);
    return {
      index,
      name,
      businessName,
      phone_1: phoneNumber('seller', index),
      password: SAMPLE_PASSWORD,
      home,
      joinedHoursAgo: days * HOURS_A_DAY,
      places: [home, ...(elsewhere.get(index) ?? [])],
      sells,
    };
  });
}
