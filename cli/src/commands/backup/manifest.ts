import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Exit, exitCodes } from '../../market/exit.js';
import { isOfPart } from './parts.js';

export const MANIFEST = 'oja-backup.json';

const manifest = z.object({
  kind: z.literal('oja-backup'),
  format: z.literal(1),
  /** The keys lie apart: whoever has one of the two can read nothing. */
  part: z.enum(['market', 'keys']),
  /** The same in both parts of a backup. */
  id: z.uuid(),
  at: z.string(),
  logId: z.string(),
  /** Of the copied log. */
  head: z.string().nullable(),
  files: z.array(z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifest>;

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}

export async function fileEntry(folder: string, name: string): Promise<Manifest['files'][number]> {
  const path = join(folder, name);
  return { name, bytes: statSync(path).size, sha256: await sha256Of(path) };
}

/** A whole backup's manifest, every file checked. @throws Exit 2 for anything else; nothing is written. */
export async function checkedManifest(folder: string, part: Manifest['part']): Promise<Manifest> {
  const no = (why: string) =>
    new Exit(
      exitCodes.usage,
      `${folder} is no whole backup of ${part === 'keys' ? 'the keys' : 'a market'}: ${why}; nothing was changed.`,
    );
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) throw no(`${MANIFEST} is missing`);
  let value: unknown = null;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw no(`${MANIFEST} cannot be read`);
  }
  const parsed = manifest.safeParse(value);
  if (!parsed.success || parsed.data.part !== part) throw no(`${MANIFEST} says something else`);
  for (const { name, sha256 } of parsed.data.files) {
    // Before it is looked at: a manifest comes from wherever the backup lay.
    if (!isOfPart[part](name)) throw no(`${MANIFEST} names ${name}, which is no file of it`);
    if (!existsSync(join(folder, name))) throw no(`${name} is missing`);
    if (!lstatSync(join(folder, name)).isFile()) throw no(`${name} is no file`);
    if ((await fileEntry(folder, name)).sha256 !== sha256) throw no(`${name} was changed`);
  }
  return parsed.data;
}
