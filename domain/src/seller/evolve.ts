import type { SellerEvent } from './events.js';

export type SellerState =
  | { readonly status: 'none' }
  | {
      readonly status: 'registered';
      readonly sellerId: string;
      readonly businessName: string;
      readonly isHeadAdmin: boolean;
      readonly isSubAdmin: boolean;
      readonly isSuspended: boolean;
    };

export const noSeller: SellerState = { status: 'none' };

export function evolveSeller(state: SellerState, event: SellerEvent): SellerState {
  if (event.type === 'SellerRegistered') {
    const { sellerId, businessName } = event.data;
    const rights = { isHeadAdmin: false, isSubAdmin: false, isSuspended: false };
    return { status: 'registered', sellerId, businessName, ...rights };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'SellerProfileUpdated':
      return { ...state, businessName: event.data.businessName };
    case 'SellerSuspended':
      return { ...state, isSuspended: true };
    case 'SellerReinstated':
      return { ...state, isSuspended: false };
    case 'SubAdminGranted':
      return { ...state, isSubAdmin: true };
    case 'SubAdminRevoked':
      return { ...state, isSubAdmin: false };
    case 'HeadAdminGranted':
      return { ...state, isHeadAdmin: true };
    case 'HeadAdminRevoked':
      return { ...state, isHeadAdmin: false };
    case 'PayoutAccountSet':
      return state;
  }
}
