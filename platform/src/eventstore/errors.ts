/** Something in the call is wrong; nothing was sent to the engine. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

/**
 * The engine did not answer, or can no longer keep its promise. Whether the write happened is
 * unknown: repeat it with the same ids. When `permanent` is true no repetition helps until somebody
 * has looked at the machine (a full disk, a failed fsync) and the process was started again.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(
    message: string,
    readonly permanent: boolean,
  ) {
    super(message);
  }
}
