import { basename } from 'node:path';

/** `price` in `Price.module.css` becomes `Price-price`: in the browser, in server-rendered pages and in tests. */
const scopedName = (name, file) => `${basename(file, '.module.css')}-${name}`;

/** Vite's `css` option: how the classes of CSS modules are named. */
export const css = { modules: { generateScopedName: scopedName } };
