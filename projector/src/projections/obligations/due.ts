import type {
  ObligationDocument,
  ObligationKind,
  ObligationsCollections,
} from '@oja/contracts/models';
import type { Change, Loaded } from '../../runner/projection.js';
import { del, put } from '../define.js';

export type ObligationChange = Change<ObligationsCollections>;
export type ObligationDocuments = Loaded<ObligationsCollections>;

type Details = Pick<ObligationDocument, 'due' | 'position'> & Partial<ObligationDocument>;

/** `<kind>/<subject>`, with the item where a subject has several of a kind. */
export function dueId(kind: ObligationKind, subject: string, item?: string): string {
  return item === undefined ? `${kind}/${subject}` : `${kind}/${subject}/${item}`;
}

/** Something to do; `item` is only part of the id. */
export function due(
  kind: ObligationKind,
  subject: string,
  details: Details,
  item?: string,
): ObligationChange {
  return put('due', dueId(kind, subject, item), {
    kind,
    subject,
    dueTimes: null,
    references: null,
    sellerId: null,
    amount: null,
    item: null,
    providerId: null,
    keySubject: null,
    ...details,
  });
}

/** Before everything: what is due from there on was always due. */
const ALWAYS = new Date(0).toISOString();

/**
 * A person's key to destroy. Two facts may ask for it, in either order, and both mean the same: so it
 * does not say when it was asked for.
 */
export const keyToDestroy = (keySubject: string, position: string): ObligationChange =>
  due('destroy-key', keySubject, { due: ALWAYS, position, keySubject });

/** Done, or not owed any more. */
export function settled(kind: ObligationKind, subject: string, item?: string): ObligationChange {
  return del('due', dueId(kind, subject, item));
}

/** ISO 8601, so many milliseconds after. */
export function after(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
