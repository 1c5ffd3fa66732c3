/** A job, queue or option that no engine takes; nothing was added. */
export class InvalidJob extends Error {
  override readonly name = 'InvalidJob';
}
