import type { Deps } from '../../deps.js';

/**
 * Destroys a person's key and what is kept of their letters. The key first: no letter can follow it.
 * @throws KeyLingers when it has to be done again; the letters are gone then too.
 */
export async function forget(
  { keys, mail }: Pick<Deps, 'keys' | 'mail'>,
  subject: string,
): Promise<void> {
  try {
    await keys.destroy(subject);
  } finally {
    await mail.forget(subject);
  }
}
