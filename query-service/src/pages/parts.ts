import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Preload } from './head.js';

/** What the web build says a page is made of beside the shell. */
interface Parts {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** By the page's address; the one parsed boundary to the web build's `parts.json`. */
async function read(webDist: string): Promise<Readonly<Record<string, Parts>>> {
  const text = await readFile(join(webDist, 'parts.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Readonly<Record<string, Parts>>;
}

/** Links to the parts of a page, so that they are fetched with the shell and not after it has run. */
export async function partsOf(webDist: string, route: string): Promise<readonly Preload[]> {
  const own = (await read(webDist))[route];
  if (own === undefined) return [];
  return [
    ...own.scripts.map((href) => ({ rel: 'modulepreload', href, crossorigin: '' })),
    ...own.styles.map((href) => ({ as: 'style', href, crossorigin: '' })),
  ];
}
