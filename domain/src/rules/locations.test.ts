import { expect, it } from 'vitest';
import { isPlace, stateOf, states } from './locations.js';

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
