import type { CallName } from './types.js';

/**
 * Method and path of a call. At build time `scripts/call-addresses.mjs` replaces each call name in the source
 * with its method and path, so that each part of the app, and the worker, carries only the addresses of its own
 * calls and no schemas.
 */
export function endpointOf(name: CallName): readonly [method: string, path: string] {
  const [method = '', path] = name.split(' ');
  if (path === undefined) throw new Error(`${name} has to be named where it is called`);
  return [method, path];
}
