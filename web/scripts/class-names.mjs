import { basename } from 'node:path';

/** `price` of `Price.module.css` is `Price-price`: in the browser, in what the server renders, and in tests. */
const scopedName = (name, file) => `${basename(file, '.module.css')}-${name}`;

/** How vite is to name the classes of CSS modules. */
export const css = { modules: { generateScopedName: scopedName } };
