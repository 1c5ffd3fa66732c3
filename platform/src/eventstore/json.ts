/** The value would not come back as it went in. The message names the place. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

const maxDepth = 100;

function problemIn(value: unknown, path: string, depth: number): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : `${path} is ${value}`;
  }
  if (typeof value !== 'object') return `${path} is of type ${typeof value}`;
  if (depth === maxDepth) return `${path} is nested deeper than ${maxDepth} levels`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = problemIn(value[index], `${path}[${index}]`, depth + 1);
      if (problem) return problem;
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `${path} is not a plain object`;
  for (const [name, member] of Object.entries(value)) {
    // An undefined member is left out, as the type of a JSON object here allows.
    if (member === undefined) continue;
    const problem = problemIn(member, `${path}.${name}`, depth + 1);
    if (problem) return problem;
  }
  return null;
}

/**
 * The text of an object, if reading it again gives an equal one. Dates, maps, bigints, NaN and the
 * like do not survive JSON, and some of them hang or kill an engine's client.
 *
 * @throws NotJson naming the member, with `name` as the root of its path.
 */
export function jsonText(value: unknown, name: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new NotJson(`${name} is not an object`);
  }
  const problem = problemIn(value, name, 0);
  if (problem) throw new NotJson(problem);
  return JSON.stringify(value);
}
