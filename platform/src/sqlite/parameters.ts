/** What may be bound. Integers stay integers: a number without a fraction is stored as INTEGER. */
export type Parameter = string | number | bigint | Buffer | null;

/** A value that must not reach libsql: it would end the process, or be stored as something else. */
export class ForbiddenParameter extends Error {
  override readonly name = 'ForbiddenParameter';

  constructor(index: number, why: string) {
    super(`SQL parameter ${index + 1} ${why}`);
  }
}

const largestInteger = 2n ** 63n - 1n;
const smallestInteger = -(2n ** 63n);
const loneSurrogate = /\p{Surrogate}/u;

function bindable(value: unknown, index: number): Parameter {
  switch (typeof value) {
    case 'string':
      // libsql cuts text at a NUL and replaces half a surrogate pair, both without a word.
      if (value.includes('\0')) throw new ForbiddenParameter(index, 'is text with a NUL in it');
      if (loneSurrogate.test(value)) throw new ForbiddenParameter(index, 'is not well-formed text');
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new ForbiddenParameter(index, `is ${value}`);
      // libsql binds every number as REAL, which a column without affinity would keep.
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'bigint':
      if (value > largestInteger || value < smallestInteger) {
        throw new ForbiddenParameter(index, 'does not fit into 64 bits');
      }
      return value;
    default:
      if (value === null || Buffer.isBuffer(value)) return value;
      throw new ForbiddenParameter(index, `is ${kindOf(value)}`);
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return `an object (${value?.constructor?.name ?? 'no class'})`;
  return `of type ${typeof value}`;
}

/**
 * The parameters as libsql may have them. Types alone do not protect: values come from JSON and from
 * other threads, and libsql aborts the whole process on a boolean, where no `catch` helps.
 *
 * @throws ForbiddenParameter naming the first one that is not text, a finite number, a bigint, a
 *   Buffer or null.
 */
export function checkedParameters(parameters: readonly unknown[]): Parameter[] {
  return parameters.map(bindable);
}
