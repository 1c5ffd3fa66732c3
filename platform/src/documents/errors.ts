/** The cursor is not one that this query handed out. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';

  constructor() {
    super('The cursor does not belong to this query');
  }
}

/** No declared index serves the query: a bug of the caller, or an index to declare. */
export class UnservedQuery extends Error {
  override readonly name = 'UnservedQuery';

  constructor(collection: string, what: string) {
    super(`${collection}: ${what}`);
  }
}

/** Nobody has ensured this collection, or it has been dropped. */
export class UnknownCollection extends Error {
  override readonly name = 'UnknownCollection';

  constructor(readonly collection: string) {
    super(`There is no collection '${collection}'`);
  }
}

/** A document, id, name or condition that no engine can keep or ask for. */
export class InvalidDocument extends Error {
  override readonly name = 'InvalidDocument';
}
