import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tag } from './head.js';

const linked = /<link rel="stylesheet"[^>]*href="(\/assets\/[^"]+\.css)"[^>]*>/g;

/** File → its text; names carry a hash, so a text never changes. */
const texts = new Map<string, Promise<string>>();

function textOf(webDist: string, href: string): Promise<string> {
  const file = join(webDist, href);
  const known = texts.get(file);
  if (known !== undefined) return known;
  const read = readFile(file, 'utf8');
  texts.set(file, read);
  read.catch(() => texts.delete(file));
  return read;
}

/**
 * A style sheet in the page itself saves the page's first picture a way to the server and back. The link that is put
 * out of use tells the app that the sheet is there.
 */
async function inline(webDist: string, href: string): Promise<string> {
  const link = { rel: 'stylesheet', href };
  const text = await textOf(webDist, href).catch(() => null);
  if (text === null || text.includes('</')) return tag('link', { ...link, crossorigin: '' });
  return `<style>${text.trim()}</style>${tag('link', { ...link, disabled: '' })}`;
}

/** The page with what it links to in the place of its links. */
export async function withInlineStyles(page: string, webDist: string): Promise<string> {
  const hrefs = [...page.matchAll(linked)].flatMap(([, href]) => href ?? []);
  const styles = new Map<string, string>();
  for (const href of hrefs) styles.set(href, await inline(webDist, href));
  return page.replace(linked, (link, href: string) => styles.get(href) ?? link);
}
