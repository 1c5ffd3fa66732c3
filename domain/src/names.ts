/**
 * Stream names by aggregate: `<category>-<id>`. They never change, because personal values are
 * sealed for the stream that holds them. `businessName` takes the SHA-256 of the folded name.
 */
export const streamNames = {
  seller: (id: string) => `seller-${id}`,
  businessName: (id: string) => `businessName-${id}`,
  product: (id: string) => `product-${id}`,
  transaction: (id: string) => `transaction-${id}`,
  review: (id: string) => `review-${id}`,
  inbox: (sellerId: string) => `inbox-${sellerId}`,
  contact: (id: string) => `contact-${id}`,
} as const;

/** The category in a stream name. For the single `operations` stream it is the whole name. */
export const streamCategory = (stream: string): string => stream.split('-', 1)[0] ?? stream;

/** The id in a stream name: of a seller, a product, an order and so on. */
export const streamSubject = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** The one stream for what happens to the market itself: replays, quarantines, erasures. */
export const OPERATIONS_STREAM = 'operations';

/** Whose personal data has its own key: a seller, the buyer of an order, or the sender of a contact message. */
export type SubjectKind = 'seller' | 'transaction' | 'contact';

/** The name of a person's key: `<kind>:<id>`. Destroying the key erases the person's data. */
export const keySubject = (kind: SubjectKind, id: string): string => `${kind}:${id}`;

/** The id of the person whose key has this name; null when it is the key of another kind of person. */
export function subjectId(kind: SubjectKind, subject: string): string | null {
  const prefix = keySubject(kind, '');
  return subject.startsWith(prefix) ? subject.slice(prefix.length) : null;
}

/**
 * The actor in event metadata for someone at the market's own terminal. `operatorActor` adds the
 * operator's name where it is known.
 */
export const OPERATOR = 'operator';
export const operatorActor = (name: string): string => `${OPERATOR}:${name}`;
export const isOperator = (actor: string): boolean =>
  actor === OPERATOR || actor.startsWith(operatorActor(''));

/** The actor in event metadata for a seller. */
export const sellerActor = (sellerId: string): string => `seller:${sellerId}`;
