/**
 * Replaces the name of a call from `contracts` by its method and path wherever the web app makes
 * the call: `call('getStore', …)` becomes `call('GET /v1/stores/:name', …)`. Importing the table
 * itself, with its schemas, would bring all of zod into the first load.
 */
import { calls } from '@oja/contracts';

const NAMED = /(?<![.\w])(call|endpointOf)\((\s*)'(\w+)'/g;

function endpointOf(name, file) {
  const found = calls[name];
  if (found === undefined) throw new Error(`${file}: there is no call ${name}`);
  return `${found.method} ${found.path}`;
}

/** @returns {import('vite').Plugin} */
export function callAddresses() {
  return {
    name: 'call-addresses',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/web\/(?:src|test)\/.*\.tsx?$/.test(id.replaceAll('\\', '/'))) return null;
      // No line moves, so the existing source map stays correct.
      const named = code.replace(
        NAMED,
        (_, by, space, name) => `${by}(${space}'${endpointOf(name, id)}'`,
      );
      return named === code ? null : { code: named, map: null };
    },
  };
}
