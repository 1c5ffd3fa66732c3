import type { Json } from '../eventstore/port.js';
import { InvalidDocument } from './errors.js';

/**
 * The one spelling of a JSON value: members sorted by name, undefined members left out. Two documents
 * are the same when these texts are.
 *
 * @throws InvalidDocument for a number that is not finite, and for what is no JSON at all.
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new InvalidDocument(`${value} is not JSON`);
      return JSON.stringify(value);
    case 'object':
      break;
    default:
      throw new InvalidDocument(`A ${typeof value} is not JSON`);
  }
  if (value === null) return 'null';
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new InvalidDocument('Only plain objects are JSON');
  }
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** `Array.isArray` does not tell a readonly list from an object. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
