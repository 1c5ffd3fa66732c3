/** The subject was erased: it never gets a key again. */
export class KeyDestroyed extends Error {
  override readonly name = 'KeyDestroyed';

  constructor(readonly subject: string) {
    super(`The key of ${subject} has been destroyed`);
  }
}

/**
 * Nobody gets the key any more, but its wrapped bytes still stand in the file's WAL, since somebody has
 * read the keys for too long. Destroying it again ends it once they have finished.
 */
export class KeyLingers extends Error {
  override readonly name = 'KeyLingers';

  constructor(readonly subject: string) {
    super(
      `The key of ${subject} is destroyed, but a reader keeps its traces in the WAL: try again`,
    );
  }
}

/** The subject has a key already, and it is another one: what is sealed under one of the two would be lost. */
export class KeyDiffers extends Error {
  override readonly name = 'KeyDiffers';

  constructor(readonly subject: string) {
    super(`${subject} has another key here`);
  }
}

/** The keys were wrapped under another master key: every one of them would be unreadable. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';

  constructor() {
    super('KEYS_MASTER_KEY is not the one that these keys were wrapped under');
  }
}
