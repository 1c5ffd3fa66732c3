import type { Sealed } from '@oja/domain';
import type { Sealer } from '@oja/platform';

/** The personal values of one subject, by a name of the caller's. */
export interface SealedValues<N extends string> {
  /** The stream they are bound to. */
  readonly stream: string;
  readonly values: readonly {
    readonly name: N;
    /** The field they are bound to. */
    readonly field: string;
    readonly value: Sealed;
  }[];
}

/** A value by its name; null when there is none, or its key is gone: shown as 'removed'. */
export type Personal<N extends string> = (name: N) => string | null;

/** Opens the personal values of a whole answer in one go; in the order of the subjects. */
export async function openPersonal<N extends string>(
  sealer: Pick<Sealer, 'openMany'>,
  subjects: readonly SealedValues<N>[],
): Promise<readonly Personal<N>[]> {
  const flat = subjects.flatMap(({ stream, values }) =>
    values.map(({ field, value }) => ({ stream, field, value })),
  );
  const opened = (await sealer.openMany(flat)).values();
  return subjects.map(({ values }) => {
    const own = new Map(values.map(({ name }) => [name, opened.next().value ?? null]));
    return (name) => own.get(name) ?? null;
  });
}

/** Where the name of a value is the field it is bound to. */
export const sealedFields = <N extends string>(
  fields: Readonly<Record<N, Sealed>>,
  names: readonly N[],
): SealedValues<N>['values'] => names.map((name) => ({ name, field: name, value: fields[name] }));
