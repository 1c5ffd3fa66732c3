import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Head, headTags } from './head.js';

const place = /<!--oja:head-->[\s\S]*?<!--\/oja:head-->/;

/** The built page; null while there is no build. */
export async function readTemplate(webDist: string): Promise<string | null> {
  return readFile(join(webDist, 'index.html'), 'utf8').catch(() => null);
}

/** The page with its own head in the place that the build left for it. */
export const pageWith = (template: string, head: Head): string =>
  template.replace(place, () => headTags(head));
