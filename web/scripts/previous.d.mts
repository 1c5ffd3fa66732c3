/** `web`: the folder that contains `dist`. */
export function hold(web: string): void;
/** Returns the names of files that only the previous build has. */
export function keep(web: string): string[];
