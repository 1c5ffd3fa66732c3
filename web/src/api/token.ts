/** The access token lives in the tab's memory only: nothing that runs later can read it from a disk. */
let token: string | undefined;

export function accessToken(): string | undefined {
  return token;
}

export function setAccessToken(next: string | undefined): void {
  token = next;
}
