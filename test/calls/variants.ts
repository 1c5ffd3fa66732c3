import type { Call } from '@oja/contracts';
import { z } from 'zod';

/** A request that must be refused, and the field that its answer must name (null: none). */
export interface Variant {
  readonly what: string;
  readonly body: unknown;
  readonly names: string | null;
}

export const kinds = ['missing', 'extra', 'wrong type', 'oversized'] as const;
export type Kind = (typeof kinds)[number];

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  readonly required?: readonly string[];
}

/** Longer than any field may be, shorter than a body may be. */
const LONG = 'x'.repeat(20_000);
/** Longer than a body may be. */
const HUGE = 'x'.repeat(100_000);

const wrongFor = (type: string | undefined): unknown =>
  type === 'object' ? 'text' : { not: 'it' };

function bodySchema(call: Call): ObjectSchema | null {
  if (!call.body || call.bodyKind !== 'json') return null;
  return z.toJSONSchema(call.body, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;
}

/** Built from the call's own schema, so that the test grows with the table. */
export function variantsOf(call: Call, kind: Kind): readonly Variant[] {
  const schema = bodySchema(call);
  if (!schema) return [];
  const fields = Object.entries(schema.properties ?? {});
  switch (kind) {
    case 'missing':
      return (schema.required ?? []).map((name) => ({ what: `no ${name}`, body: {}, names: name }));
    case 'extra':
      return [{ what: 'a field of its own', body: { surprise: 1 }, names: 'surprise' }];
    case 'wrong type':
      return [
        ...fields.map(([name, { type }]) => ({
          what: `${name} of another type`,
          body: { [name]: wrongFor(type) },
          names: name,
        })),
        { what: 'a list for a body', body: [], names: null },
        { what: 'a text for a body', body: 'text', names: null },
      ];
    case 'oversized':
      return [
        ...fields
          .filter(([, { type }]) => type === 'string')
          .map(([name]) => ({ what: `an endless ${name}`, body: { [name]: LONG }, names: name })),
        { what: 'an endless body', body: { surprise: HUGE }, names: null },
      ];
  }
}

/** The call's path with an unknown id in each parameter. */
export function addressOf(call: Call): string {
  return call.path.replaceAll(/:\w+/g, 'nobodys');
}
