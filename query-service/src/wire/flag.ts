/** How the user's calls spell a boolean. */
export const flag = (yes: boolean): 0 | 1 => (yes ? 1 : 0);
