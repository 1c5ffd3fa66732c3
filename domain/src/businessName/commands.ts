/** `at` is ISO 8601 in UTC. */
export interface ClaimName {
  readonly type: 'ClaimName';
  readonly nameKey: string;
  readonly businessName: string;
  readonly sellerId: string;
  readonly at: string;
}
/** Lets go of a name, if it is this seller's. */
export interface ReleaseName {
  readonly type: 'ReleaseName';
  readonly sellerId: string;
  /** A claim made or renewed at this instant or later is kept; left out: any is let go. */
  readonly claimedBefore?: string | undefined;
}
export type BusinessNameCommand = ClaimName | ReleaseName;
