import type {
  ClaimedNameDocument,
  ObligationDocument,
  ObligationKind,
  ObligationsCollections,
  UsedNameDocument,
} from '@oja/contracts/models';
import {
  type BusinessNameEvent,
  businessNameKey,
  type SellerEvent,
  UNUSED_CLAIM_MS,
} from '@oja/domain';
import type { Change, Key, Loaded } from '../../runner/projection.js';
import { del, put } from '../define.js';

export type ObligationChange = Change<ObligationsCollections>;
export type ObligationDocuments = Loaded<ObligationsCollections>;

type Details = Pick<ObligationDocument, 'due' | 'position'> & Partial<ObligationDocument>;

/** `<kind>/<subject>`, followed by the item when a subject can have several obligations of a kind. */
function dueId(kind: ObligationKind, subject: string, item?: string): string {
  return item === undefined ? `${kind}/${subject}` : `${kind}/${subject}/${item}`;
}

/** Adds an obligation. `item` only becomes part of its id. */
export function putDue(
  kind: ObligationKind,
  subject: string,
  details: Details,
  item?: string,
): ObligationChange {
  return put('due', dueId(kind, subject, item), {
    kind,
    subject,
    dueTimes: null,
    sellerId: null,
    amount: null,
    item: null,
    providerId: null,
    keySubject: null,
    ...details,
  });
}

/** The earliest time: an obligation with this `due` is due at once. */
const ALWAYS_DUE = new Date(0).toISOString();

/** The higher of a log position and that of what is known: a stream that waits in quarantine is heard out of turn. */
export const laterPosition = (
  known: { readonly position: string } | null,
  position: string,
): string => (known !== null && known.position > position ? known.position : position);

export const readsOfKey = (keySubject: string) =>
  [{ collection: 'due', id: dueId('destroy-key', keySubject) }] as const;

/**
 * A person's key must be destroyed. Two events may ask for it, in either order, and mean the same.
 * So `due` does not say when it was asked for.
 */
export function keyToDestroy(
  keySubject: string,
  position: string,
  documents: ObligationDocuments,
): ObligationChange {
  const known = documents.get('due', dueId('destroy-key', keySubject));
  const details = { due: ALWAYS_DUE, position: laterPosition(known, position), keySubject };
  return putDue('destroy-key', keySubject, details);
}

/** Removes an obligation that was met or is no longer owed. */
export function deleteDue(kind: ObligationKind, subject: string, item?: string): ObligationChange {
  return del('due', dueId(kind, subject, item));
}

/** The instant `ms` milliseconds later. ISO 8601. */
export function isoAfter(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

type NameEvent =
  | BusinessNameEvent
  | Extract<SellerEvent, { readonly type: 'SellerRegistered' | 'SellerProfileUpdated' }>;

const types: readonly string[] = [
  'BusinessNameClaimed',
  'BusinessNameReleased',
  'SellerRegistered',
  'SellerProfileUpdated',
] satisfies readonly NameEvent['type'][];

export function isNameEvent(event: { readonly type: string }): event is NameEvent {
  return types.includes(event.type);
}

export function readsOfName({
  type,
  data,
}: NameEvent): readonly Key<{ usedNames: UsedNameDocument; claimedNames: ClaimedNameDocument }>[] {
  const used = { collection: 'usedNames', id: data.sellerId } as const;
  if (type === 'BusinessNameReleased') return [];
  if (type === 'BusinessNameClaimed') return [used];
  return [used, { collection: 'claimedNames', where: { field: 'sellerId', value: data.sellerId } }];
}

/**
 * A claim must be released while its holder uses another name or none: after a sign-up that was
 * never finished, or after a rename.
 */
export function projectName(
  event: NameEvent,
  at: string,
  position: string,
  documents: ObligationDocuments,
): readonly ObligationChange[] {
  switch (event.type) {
    case 'BusinessNameReleased': {
      const { nameKey } = event.data;
      return [del('claimedNames', nameKey), deleteDue('release-name', nameKey)];
    }
    case 'BusinessNameClaimed': {
      const { nameKey, sellerId } = event.data;
      const claim = { sellerId, nameKey, claimedAt: event.data.at, position };
      return [
        put('claimedNames', nameKey, claim),
        nameObligation(claim, documents.get('usedNames', sellerId)),
      ];
    }
    default: {
      const { sellerId, businessName } = event.data;
      const nameKey = businessNameKey(businessName);
      const before = documents.get('usedNames', sellerId);
      const used = before?.nameKey === nameKey ? before : { nameKey, since: at };
      return [
        put('usedNames', sellerId, used),
        ...documents
          .find('claimedNames', 'sellerId', sellerId)
          .map(({ document }) => nameObligation(document, used)),
      ];
    }
  }
}

function nameObligation(
  claim: ClaimedNameDocument,
  used: UsedNameDocument | null,
): ObligationChange {
  const { nameKey, sellerId, claimedAt, position } = claim;
  if (used?.nameKey === nameKey) return deleteDue('release-name', nameKey);
  const since = used !== null && used.since > claimedAt ? used.since : claimedAt;
  return putDue('release-name', nameKey, {
    due: isoAfter(since, UNUSED_CLAIM_MS),
    position,
    sellerId,
  });
}
