/** `web`: the folder that `dist` lies in. */
export function hold(web: string): void;
/** The names that only the build before has. */
export function keep(web: string): string[];
