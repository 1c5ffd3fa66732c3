/**
 * The name of a stream by what it is about: `<category>-<id>`, for ever, since personal values are sealed
 * for the stream they stand in. `businessName` takes the SHA-256 of the folded name.
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

/** The category in a stream's name; the whole name where it is of one stream. */
export const streamCategory = (stream: string): string => stream.split('-', 1)[0] ?? stream;

/** The id in a stream's name: a seller's, a product's, an order's. */
export const streamSubject = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** Of all that is done to the market itself, by operators and by itself. */
export const OPERATIONS_STREAM = 'operations';

/** Whose keys there are: a seller, the buyer of an order, the writer of a message. */
export type SubjectKind = 'seller' | 'transaction' | 'contact';

/** What a person is called among the keys: `<kind>:<id>`. Its key is destroyed to forget them. */
export const keySubject = (kind: SubjectKind, id: string): string => `${kind}:${id}`;

/** In metadata, who types at a terminal of the market's own machines; by name where it is known. */
export const OPERATOR = 'operator';
export const operatorActor = (name: string): string => `${OPERATOR}:${name}`;
export const isOperator = (actor: string): boolean =>
  actor === OPERATOR || actor.startsWith(operatorActor(''));

/** A seller in the metadata of the events they have caused. */
export const sellerActor = (sellerId: string): string => `seller:${sellerId}`;
