import type { Deps } from '../../deps.js';

/** Destroys a person's key and what is kept of their letters. The key first: no letter can follow it. */
export async function forget(
  { keys, mail }: Pick<Deps, 'keys' | 'mail'>,
  subject: string,
): Promise<void> {
  await keys.destroy(subject);
  await mail.forget(subject);
}
