import { ALL_PLACES, stateOf } from '@oja/domain/rules';

/** What the location filter says: '{state} state/{local government} LG', or all. */
export function placeLabel(localGovt: string | undefined): string {
  if (localGovt === undefined) return ALL_PLACES;
  const state = stateOf(localGovt);
  return state === null ? localGovt : `${state} state/${localGovt} LG`;
}
