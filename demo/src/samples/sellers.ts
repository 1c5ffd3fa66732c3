import { businessNameKey, states } from '@oja/domain/rules';
import { FRONTS, KNOWN_SELLERS, type KnownSeller, TRADES } from './known-sellers.js';
import { personName, phoneNumber } from './people.js';
import { cycled, randomFor } from './random.js';
import type { SamplePlace, SampleSeller } from './types.js';

export const PLACES: readonly SamplePlace[] = states.flatMap(({ name, localGovts }) =>
  localGovts.map((localGovt) => ({ state: name, localGovt })),
);

/**
 * Every sample seller has this password: they are for looking round, and only a demo makes them.
 */
export const SAMPLE_PASSWORD = 'market-day';

/** A seller with all the places they sell from, home first, and what they sell. */
export interface SellerPlan extends SampleSeller {
  readonly places: readonly [SamplePlace, ...SamplePlace[]];
  readonly sells: readonly number[];
}

const HOURS_A_DAY = 24;
/** Sellers joined before anything was listed, some long before. */
const JOINED_DAYS = { latest: 62, earliest: 540 };

function placeNamed(localGovt: string): SamplePlace {
  const place = PLACES.find((one) => one.localGovt === localGovt);
  if (place === undefined) throw new RangeError(`${localGovt} is not a place Oja delivers in.`);
  return place;
}

/** A seller beyond the known ones, before their name is made their own. */
function inventedSeller(seed: number, index: number): KnownSeller {
  const random = randomFor(seed, 'seller', index);
  const trade = cycled(TRADES, index);
  const businessName = `${random.pick(FRONTS)} ${random.pick(trade.words)}`;
  const { localGovt } = cycled(PLACES, index);
  return { name: personName(random), businessName, localGovt, sells: trade.sells };
}

/**
 * Puts a number behind names that come round again, because a business name is one seller's only.
 */
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
 * The places from which each seller sells beside home. Where nobody is at home goes to sellers of
 * the same state as a branch, so that goods come from everywhere.
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

/** All the sellers of a seeding. */
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
