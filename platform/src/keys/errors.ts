/** The subject was erased: it never gets a key again. */
export class KeyDestroyed extends Error {
  override readonly name = 'KeyDestroyed';

  constructor(readonly subject: string) {
    super(`The key of ${subject} has been destroyed`);
  }
}

/** The keys were wrapped under another master key: every one of them would be unreadable. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';

  constructor() {
    super('KEYS_MASTER_KEY is not the one that these keys were wrapped under');
  }
}
