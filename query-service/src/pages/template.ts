import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escaped, type Head, headTags, tag } from './head-tags.js';

/** What a page is made of beside the shell, as the web build says. */
interface Parts {
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
async function withInlineStyles(page: string, webDist: string): Promise<string> {
  const hrefs = [...page.matchAll(linked)].flatMap(([, href]) => href ?? []);
  const styles = new Map<string, string>();
  for (const href of hrefs) styles.set(href, await inline(webDist, href));
  return page.replace(linked, (link, href: string) => styles.get(href) ?? link);
}

const entry = /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/;
const ahead = /\s*<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>/g;

/**
 * The page with `begin` for its only script, which is told what else to fetch, and fetches it behind the first paint. It
 * runs as soon as it has come: what is pressed while the rest of the page is on the way is noted.
 */
export function withScriptsBehind(page: string, begin: string): string {
  const hrefs = [...page.matchAll(ahead)].map(([, href = '']) => href);
  return page.replace(ahead, '').replace(entry, (_, first: string) => {
    const told = `data-entry="${escaped(first)}" data-ahead="${escaped(hrefs.join(' '))}"`;
    return `<script type="module" async src="${escaped(begin)}" ${told}></script>`;
  });
}

const place = /<!--oja:head-->[\s\S]*?<!--\/oja:head-->/;
const END_OF_HEAD = '</head>';
const ROOT = '<div id="root"></div>';

/** The built page; null while there is no build. */
export async function readTemplate(webDist: string): Promise<string | null> {
  return readFile(join(webDist, 'index.html'), 'utf8').catch(() => null);
}

const styleLink = (rel: Readonly<Record<string, string>>) => (href: string) =>
  tag('link', { ...rel, href, crossorigin: '' });
const preloadedStyle = styleLink({ rel: 'preload', as: 'style' });
const appliedStyle = styleLink({ rel: 'stylesheet' });
const script = (href: string) => tag('link', { rel: 'modulepreload', href, crossorigin: '' });

interface PageParts {
  readonly head: Head;
  readonly parts: Parts;
}

/** The page with its own head; its own parts come behind those of the shell, whose style sheet has to be first. */
function filled(template: string, { head, parts }: PageParts, style: (href: string) => string) {
  const links = [...parts.styles.map(style), ...parts.scripts.map(script)].join('\n    ');
  return template
    .replace(place, () => headTags(head))
    .replace(END_OF_HEAD, () => `${links}\n  ${END_OF_HEAD}`);
}

/** A page that the browser fills: its parts are fetched at once, but none has to be there before it is shown. */
export const emptyPage = (template: string, page: PageParts): string =>
  filled(template, page, preloadedStyle);

/**
 * A page that is seen before any script runs: its styles come with it, and its scripts behind it.
 * @param root the root as rendered, with what it was rendered with
 */
export async function renderedPage(
  template: string,
  { root, webDist, ...page }: PageParts & { readonly root: string; readonly webDist: string },
): Promise<string> {
  const whole = await withInlineStyles(filled(template, page, appliedStyle), webDist);
  const { begin } = page.parts;
  const later = begin === undefined ? whole : withScriptsBehind(whole, begin);
  return later.replace(ROOT, () => root);
}
