import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a page is made of beside the shell, as the web build says. */
export interface Parts {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** The script that fetches all others once a rendered page has been painted; undefined in a build without. */
  readonly begin?: string | undefined;
}

export const NO_PARTS: Parts = { scripts: [], styles: [] };

/** The name under which the script stands that begins the app on rendered pages. */
const BEGIN = 'begin';

/** By the page's name; the one parsed boundary to the web build's `parts.json`. */
async function read(webDist: string): Promise<Readonly<Record<string, Parts>>> {
  const text = await readFile(join(webDist, 'parts.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Readonly<Record<string, Parts>>;
}

/** The parts of a page, so that they are fetched with the shell and not after it has run. */
export async function partsOf(webDist: string, page: string): Promise<Parts> {
  const all = await read(webDist);
  return { ...(all[page] ?? NO_PARTS), begin: all[BEGIN]?.scripts[0] };
}
