import { escaped } from './escape.js';

const entry = /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/;
const ahead = /\s*<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>/g;

/** The page with `begin` for its only script, which is told what else to fetch, and fetches it behind the first paint. */
export function withScriptsBehind(page: string, begin: string): string {
  const hrefs = [...page.matchAll(ahead)].map(([, href = '']) => href);
  return page.replace(ahead, '').replace(entry, (_, first: string) => {
    const told = `data-entry="${escaped(first)}" data-ahead="${escaped(hrefs.join(' '))}"`;
    return `<script type="module" src="${escaped(begin)}" ${told}></script>`;
  });
}
