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
