type Transport = (path: string, init: RequestInit) => Promise<Response>;

let transport: Transport = (path, init) => fetch(path, init);

/** How calls leave: by the browser's own fetch, or by what took its place. */
export const request: Transport = (path, init) => transport(path, init);

/** A server that renders pages answers their calls itself. */
export function answerCallsBy(own: Transport): void {
  transport = own;
}
