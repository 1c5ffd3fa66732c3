import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escaped, type Head, headTags, tag } from './head-tags.js';

/** The files that a page needs beyond those of the shell, as the web build lists them. */
interface PageFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** The script that loads all others once a rendered page has been painted; undefined if the build has none. */
  readonly begin?: string | undefined;
}

export const NO_FILES: PageFiles = { scripts: [], styles: [] };

/** The key in `parts.json` of the script that starts the app on rendered pages. */
const BEGIN = 'begin';

/** The web build's `parts.json`, by the names of pages. Its content is not checked; without the file it is empty. */
async function readPageFiles(webDist: string): Promise<Readonly<Record<string, PageFiles>>> {
  const text = await readFile(join(webDist, 'parts.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Readonly<Record<string, PageFiles>>;
}

/** The files of a page, so that they are loaded together with the shell and not after it has run. */
export async function pageFilesOf(webDist: string, page: string): Promise<PageFiles> {
  const all = await readPageFiles(webDist);
  return { ...(all[page] ?? NO_FILES), begin: all[BEGIN]?.scripts[0] };
}

const stylesheetLinks = /<link rel="stylesheet"[^>]*href="(\/assets\/[^"]+\.css)"[^>]*>/g;

/** The text of files, by path. File names have a hash, so a text never changes. */
const texts = new Map<string, Promise<string>>();

function readFileText(webDist: string, href: string): Promise<string> {
  const file = join(webDist, href);
  const known = texts.get(file);
  if (known !== undefined) return known;
  const read = readFile(file, 'utf8');
  texts.set(file, read);
  read.catch(() => texts.delete(file));
  return read;
}

/**
 * Inlining a style sheet saves the first picture of the page a round trip to the server. The
 * disabled link tells the app that the style sheet is there.
 */
async function inlineStylesheet(webDist: string, href: string): Promise<string> {
  const link = { rel: 'stylesheet', href };
  const text = await readFileText(webDist, href).catch(() => null);
  if (text === null || text.includes('</')) return tag('link', { ...link, crossorigin: '' });
  return `<style>${text.trim()}</style>${tag('link', { ...link, disabled: '' })}`;
}

/** The page with its style sheets inlined in place of the links. */
async function withInlineStyles(page: string, webDist: string): Promise<string> {
  const hrefs = [...page.matchAll(stylesheetLinks)].flatMap(([, href]) => href ?? []);
  const styles = new Map<string, string>();
  for (const href of hrefs) styles.set(href, await inlineStylesheet(webDist, href));
  return page.replace(stylesheetLinks, (link, href: string) => styles.get(href) ?? link);
}

const entryScript = /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/;
const modulePreloads = /\s*<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>/g;

/**
 * The page with `begin` as its only script; the attributes name what `begin` loads after the first
 * paint. It runs as soon as it arrives, and records what users press while the rest is loading.
 */
export function withDeferredScripts(page: string, begin: string): string {
  const hrefs = [...page.matchAll(modulePreloads)].map(([, href = '']) => href);
  return page.replace(modulePreloads, '').replace(entryScript, (_, first: string) => {
    const attributes = `data-entry="${escaped(first)}" data-ahead="${escaped(hrefs.join(' '))}"`;
    return `<script type="module" async src="${escaped(begin)}" ${attributes}></script>`;
  });
}

const headPlaceholder = /<!--oja:head-->[\s\S]*?<!--\/oja:head-->/;
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
const scriptPreload = (href: string) =>
  tag('link', { rel: 'modulepreload', href, crossorigin: '' });

interface PageParts {
  readonly head: Head;
  readonly files: PageFiles;
}

/** The page with its own head. Its own files come after those of the shell, whose style sheet must be first. */
function fillTemplate(
  template: string,
  { head, files }: PageParts,
  style: (href: string) => string,
) {
  const links = [...files.styles.map(style), ...files.scripts.map(scriptPreload)].join('\n    ');
  return template
    .replace(headPlaceholder, () => headTags(head))
    .replace(END_OF_HEAD, () => `${links}\n  ${END_OF_HEAD}`);
}

/** A page that the browser renders. Its files are preloaded, but the page is shown without waiting for them. */
export const emptyPage = (template: string, page: PageParts): string =>
  fillTemplate(template, page, preloadedStyle);

/**
 * A page that is visible before any script runs: its styles are inlined and its scripts load later.
 * @param root the rendered root element, with the data it was rendered with
 */
export async function renderedPage(
  template: string,
  { root, webDist, ...page }: PageParts & { readonly root: string; readonly webDist: string },
): Promise<string> {
  const whole = await withInlineStyles(fillTemplate(template, page, appliedStyle), webDist);
  const { begin } = page.files;
  const later = begin === undefined ? whole : withDeferredScripts(whole, begin);
  return later.replace(ROOT, () => root);
}
