import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Head, headTags, tag } from './head.js';
import type { Parts } from './parts.js';

const place = /<!--oja:head-->[\s\S]*?<!--\/oja:head-->/;
const END_OF_HEAD = '</head>';
const ROOT = '<div id="root"></div>';

/** The built page; null while there is no build. */
export async function readTemplate(webDist: string): Promise<string | null> {
  return readFile(join(webDist, 'index.html'), 'utf8').catch(() => null);
}

interface PageParts {
  readonly head: Head;
  readonly parts: Parts;
  /** The root as rendered, with what it was rendered with; null: the browser fills it. */
  readonly body: string | null;
}

/**
 * Links to a page's own parts, behind those of the shell, whose style sheet has to come first. A rendered page needs
 * its styles before it is shown.
 */
function links({ scripts, styles }: Parts, isRendered: boolean): string {
  const style = isRendered ? { rel: 'stylesheet' } : { rel: 'preload', as: 'style' };
  return [
    ...styles.map((href) => tag('link', { ...style, href, crossorigin: '' })),
    ...scripts.map((href) => tag('link', { rel: 'modulepreload', href, crossorigin: '' })),
  ].join('\n    ');
}

/** The page with its own head and body in the places that the build left for them. */
export const pageWith = (template: string, { head, parts, body }: PageParts): string =>
  template
    .replace(place, () => headTags(head))
    .replace(END_OF_HEAD, () => `${links(parts, body !== null)}\n  ${END_OF_HEAD}`)
    .replace(ROOT, () => body ?? ROOT);
