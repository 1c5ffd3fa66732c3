/** Made by `scripts/call-addresses.mjs` from the table of calls: name → 'GET /v1/stores/:name'. */
declare module 'virtual:call-addresses' {
  export const addresses: Readonly<Record<string, string>>;
}
