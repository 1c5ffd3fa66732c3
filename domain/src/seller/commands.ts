import type { Sealed } from '../sealed.js';

/** Who asks for a change of rights: an operator at the terminal, or a signed-in person. */
export type Actor =
  | { readonly kind: 'operator' }
  | { readonly kind: 'seller'; readonly sellerId: string; readonly isHeadAdmin: boolean };

interface Profile {
  readonly businessName: string;
  readonly name: Sealed;
  readonly phone: Sealed;
}

export type RegisterSeller = Profile & {
  readonly type: 'RegisterSeller';
  readonly sellerId: string;
};
export type UpdateProfile = Profile & { readonly type: 'UpdateProfile' };
export interface ToggleSuspension {
  readonly type: 'ToggleSuspension';
  readonly actor: Actor;
}
export interface SetSubAdmin {
  readonly type: 'SetSubAdmin';
  readonly isSubAdmin: boolean;
  readonly actor: Actor;
}
export interface SetHeadAdmin {
  readonly type: 'SetHeadAdmin';
  readonly isHeadAdmin: boolean;
  readonly actor: Actor;
}
export interface SetPayoutAccount {
  readonly type: 'SetPayoutAccount';
  readonly accountName: Sealed;
  readonly accountNumber: Sealed;
  readonly bankCode: Sealed;
}

export type SellerCommand =
  | RegisterSeller
  | UpdateProfile
  | ToggleSuspension
  | SetSubAdmin
  | SetHeadAdmin
  | SetPayoutAccount;
