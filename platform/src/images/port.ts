/** Where pictures live. `reference` is what events keep: a bare name on Oja's own host, else the address. */
export interface Images {
  /** Where a browser sends its multipart `file` with `upload_preset`. */
  readonly uploadUrl: string;
  readonly uploadPreset: string;
  /** The address to show for a reference. */
  address(reference: string): string;
  /** The reference of an address that this host gave out; null for any other address. */
  reference(address: string): string | null;
  /** Uploads bytes as the server itself (samples, tests). Answers the address. */
  upload(bytes: Buffer, fileName: string): Promise<string>;
}
