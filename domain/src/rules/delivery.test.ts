import { expect, it } from 'vitest';
import {
  acceptableAmounts,
  DELIVERY_FEE,
  DELIVERY_THRESHOLD,
  deliveryFee,
  isPlace,
  STARTING_DELIVERY_FEE,
  stateOf,
  states,
  untilFreeDelivery,
} from './delivery.js';

it('every local government is a place of its own state alone', () => {
  for (const { name, localGovts } of states) {
    for (const localGovt of localGovts) {
      expect(stateOf(localGovt)).toBe(name);
      expect(states.filter((state) => isPlace(state.name, localGovt))).toHaveLength(1);
    }
  }
  expect(isPlace('Lagos', 'Nsukka')).toBe(false);
  expect(stateOf('Abuja')).toBeNull();
});

it('places stand in the order of the alphabet', () => {
  for (const { localGovts } of states) expect([...localGovts].sort()).toEqual([...localGovts]);
});

it('delivery costs ₦800 below ₦5,000, nothing above, and at ₦5,000 what it cost before', () => {
  expect(deliveryFee(DELIVERY_THRESHOLD - 1, 0)).toBe(DELIVERY_FEE);
  expect(deliveryFee(DELIVERY_THRESHOLD + 1, DELIVERY_FEE)).toBe(0);
  expect(deliveryFee(DELIVERY_THRESHOLD, 0)).toBe(0);
  expect(deliveryFee(DELIVERY_THRESHOLD, DELIVERY_FEE)).toBe(DELIVERY_FEE);
  expect([STARTING_DELIVERY_FEE, DELIVERY_FEE, DELIVERY_THRESHOLD]).toEqual([
    80_000, 80_000, 500_000,
  ]);
});

it('an order may cost its subtotal with the fee; at ₦5,000 both readings are right', () => {
  expect(acceptableAmounts(499_900)).toEqual([579_900]);
  expect(acceptableAmounts(500_000)).toEqual([500_000, 580_000]);
  expect(acceptableAmounts(500_100)).toEqual([500_100]);
});

it('what is missing for free delivery is the least whole naira that takes the fee away', () => {
  for (const subtotal of [100, 400_000, DELIVERY_THRESHOLD - 1, DELIVERY_THRESHOLD]) {
    const enough = subtotal + untilFreeDelivery(subtotal);
    expect(deliveryFee(enough, DELIVERY_FEE)).toBe(0);
    expect(deliveryFee(enough - 100, DELIVERY_FEE)).toBe(DELIVERY_FEE);
  }
  expect(untilFreeDelivery(400_000)).toBe(100_100);
  for (const more of [100, 101, 500_000])
    expect(untilFreeDelivery(DELIVERY_THRESHOLD + more)).toBe(0);
});
