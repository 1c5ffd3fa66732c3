import type { Parameter } from '../sqlite/index.js';

/** A piece of SQL with what is bound in it. Values never stand in the text. */
export interface Fragment {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

export function sql(text: string, ...parameters: readonly Parameter[]): Fragment {
  return { text, parameters };
}

function joined(fragments: readonly Fragment[], operator: string, none: string): Fragment {
  if (fragments.length === 0) return sql(none);
  return {
    text: fragments.map(({ text }) => `(${text})`).join(operator),
    parameters: fragments.flatMap(({ parameters }) => parameters),
  };
}

export const allOf = (fragments: readonly Fragment[]) => joined(fragments, ' AND ', '1');
export const anyOf = (fragments: readonly Fragment[]) => joined(fragments, ' OR ', '0');
