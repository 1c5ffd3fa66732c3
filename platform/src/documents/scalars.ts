import type { Json } from '../eventstore/port.js';
import type { Parameter } from '../sqlite/index.js';
import { type Document, InvalidDocument, type Scalar } from './port.js';

/**
 * A column stores booleans as one-byte blobs: libsql takes no booleans, 1 must not equal true, and blobs sort
 * after text, as booleans do in MongoDB.
 */
const falseBlob = Buffer.from([0]);
const trueBlob = Buffer.from([1]);

/** A column can hold neither NUL nor a lone surrogate; the document itself keeps them. */
const unstorable = /\0|\p{Surrogate}/u;
const allUnstorable = /\0|\p{Surrogate}/gu;

/** Replaces what a column cannot hold by U+FFFD. */
export function storableText(text: string): string {
  return unstorable.test(text) ? text.replace(allUnstorable, '\uFFFD') : text;
}

/** A value as an index gives it back. */
export const asIndexed = (value: Scalar): Scalar =>
  typeof value === 'string' ? storableText(value) : value;

/** A scalar as an index stores it. @throws InvalidDocument for anything else, which untyped callers may pass. */
export function toStored(value: Scalar): Scalar {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return storableText(value);
    case 'number':
      if (!Number.isFinite(value)) throw new InvalidDocument(`${value} is not JSON`);
      return value;
    default:
      if (value === null) return null;
      throw new InvalidDocument(`A ${typeof value} is not a scalar`);
  }
}

/** Like `toStored`, for a column of SQLite. */
export function toColumn(value: Scalar): Parameter {
  const stored = toStored(value);
  if (typeof stored === 'boolean') return stored ? trueBlob : falseBlob;
  return stored;
}

/** Own members only: every object inherits a `constructor`. */
function memberOf(document: Document, field: string): Json | undefined {
  return Object.hasOwn(document, field) ? document[field] : undefined;
}

/**
 * The value of an indexed field; a missing member counts as null.
 *
 * @throws InvalidDocument for a list or an object, by which engines would find different documents.
 */
export function scalarOf(document: Document, field: string): Scalar {
  return scalar(memberOf(document, field), field);
}

function scalar(value: Json | undefined, field: string): Scalar {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object') {
    throw new InvalidDocument(`${field} is indexed and must hold a scalar`);
  }
  return value;
}

/** The distinct values of a multikey field, without nulls. @throws InvalidDocument unless it is a list of scalars. */
export function scalarsOf(document: Document, field: string): readonly Scalar[] {
  const value = memberOf(document, field);
  if (value === undefined || value === null) return [];
  if (!isList(value)) throw new InvalidDocument(`${field} must hold a list`);
  return [...new Set(value.map((item) => scalar(item, field)))].filter((item) => item !== null);
}

/** The text of a words field; null when missing. @throws InvalidDocument for anything but text. */
export function textOf(document: Document, field: string): string | null {
  const value = memberOf(document, field);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new InvalidDocument(`${field} must hold text`);
  return value;
}

/** SQL for a column as JSON, so that a whole column can be read in one value. */
export function columnAsJson(column: string): string {
  return (
    `CASE WHEN ${column} BETWEEN '' AND x'' THEN ${column} ` +
    `WHEN typeof(${column}) = 'blob' THEN json(iif(${column} = x'01', 'true', 'false')) ` +
    `WHEN typeof(${column}) = 'real' THEN json(printf('%!.17g', ${column})) ELSE ${column} END`
  );
}

/** Text that JSON writes as it is, between quotes: printable ASCII without quotes and backslashes, as most is. */
const unescaped = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** As `JSON.stringify` writes a text, in half the time. */
const quoted = (text: string): string =>
  unescaped.test(text) ? `"${text}"` : JSON.stringify(text);

/** The names of an object's members in order. Most objects were read from a canonical text, so they are already. */
function sortedNames(value: object): readonly string[] {
  const names = Object.keys(value);
  const isSorted = names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name);
  return isSorted ? names : names.sort();
}

/**
 * The canonical text of a JSON value: members sorted by name, undefined members left out. Two documents are
 * equal when these texts are.
 *
 * @throws InvalidDocument for a number that is not finite, and for anything that is not JSON.
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'boolean':
      return String(value);
    case 'number':
      if (!Number.isFinite(value)) throw new InvalidDocument(`${value} is not JSON`);
      return String(value);
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
  for (const name of sortedNames(value)) {
    const member = value[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** `Array.isArray` does not narrow the type to a readonly list. */
function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Compares texts by code point, as the engines do; UTF-16 order differs where there are surrogates. */
export function byCodePoint(one: string, other: string): number {
  if (one === other) return 0;
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a === b) continue;
    const [isHalf, isOtherHalf] = [isSurrogate(a), isSurrogate(b)];
    if (isHalf === isOtherHalf) return a - b;
    return isHalf ? 1 : -1;
  }
  return one.length - other.length;
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
