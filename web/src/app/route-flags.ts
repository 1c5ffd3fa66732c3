import { useMatches } from 'react-router-dom';

/** What a route says of the page around it, in its `handle`. */
export interface RouteFlags {
  /** The foot of home, about and contact. */
  readonly footer?: true;
  /** The header of upload, with the way to the seller's store. */
  readonly myStore?: true;
}

/** Whether the page that is shown carries the flag. */
export function useRouteFlag(flag: keyof RouteFlags): boolean {
  return useMatches().some(({ handle }) => {
    const flags: RouteFlags = typeof handle === 'object' && handle !== null ? handle : {};
    return flags[flag] === true;
  });
}
