import type { BusinessNameEvent } from './events.js';

export type BusinessNameState =
  | { readonly status: 'free' }
  | {
      readonly status: 'held';
      readonly nameKey: string;
      readonly businessName: string;
      readonly sellerId: string;
      readonly claimedAt: string;
    };

export const noBusinessName: BusinessNameState = { status: 'free' };

export function evolveBusinessName(
  state: BusinessNameState,
  event: BusinessNameEvent,
): BusinessNameState {
  switch (event.type) {
    case 'BusinessNameClaimed': {
      const { nameKey, businessName, sellerId, at } = event.data;
      return { status: 'held', nameKey, businessName, sellerId, claimedAt: at };
    }
    case 'BusinessNameReleased':
      return state.status === 'held' && state.sellerId === event.data.sellerId
        ? noBusinessName
        : state;
  }
}
