import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Head, headTags, tag } from './head.js';
import type { Parts } from './parts.js';
import { withScriptsBehind } from './scripts.js';
import { withInlineStyles } from './styles.js';

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
