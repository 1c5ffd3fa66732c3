import type { RouteObject } from 'react-router-dom';

/** An answer that is held back until `release` is called. `resolver` is for a handler of msw. */
export function held(answer: () => Response) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const resolver = async () => {
    await released;
    return answer();
  };
  return { resolver, release };
}

/** A page whose code is held back until `release` is called: whoever goes there stays on the page before. */
export function heldPage(path: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const route: RouteObject = {
    path,
    lazy: async () => {
      await released;
      return { element: path };
    },
  };
  return { route, release };
}
