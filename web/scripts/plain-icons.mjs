import { fileURLToPath } from 'node:url';

const PLAIN = fileURLToPath(new URL('../src/ui/plain-icon.ts', import.meta.url));

/**
 * Gives the icons of lucide-react a smaller component (see plain-icon.ts), and drops what that does not read:
 * the name and the size of each icon, and the keys of its shapes.
 * @returns {import('vite').Plugin}
 */
export function plainIcons() {
  return {
    name: 'plain-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: { filter: { id: /\/createLucideIcon\.mjs$/ }, handler: () => PLAIN },
    transform: {
      filter: { id: /\/lucide-react\/.*\/icons\// },
      handler: (code) => ({
        code: code.replace(/^ {2}(name|size): .*,\n|, key: "\w+"/gm, ''),
        map: null,
      }),
    },
  };
}
