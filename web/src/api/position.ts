/** How far the log had come when this tab last wrote: given back with each read, so people see what they just did. */
let position: string | undefined;

export function knownPosition(): string | undefined {
  return position;
}

/** Remembers what an answer says; one that says nothing changes nothing. */
export function rememberPosition(said: string | null): void {
  if (said !== null) position = said;
}
