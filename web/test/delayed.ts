import type { RouteObject } from 'react-router-dom';

/** A promise that is kept once `release` is called. */
function latch() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}

/** An answer that is held back until `release` is called. `resolver` is for a handler of msw. */
export function delayedAnswer(answer: () => Response) {
  const { released, release } = latch();
  const resolver = async () => {
    await released;
    return answer();
  };
  return { resolver, release };
}

/** A page whose code is held back until `release` is called: whoever goes there stays on the page before. */
export function delayedPage(path: string) {
  const { released, release } = latch();
  const route: RouteObject = {
    path,
    lazy: async () => {
      await released;
      return { element: path };
    },
  };
  return { route, release };
}
