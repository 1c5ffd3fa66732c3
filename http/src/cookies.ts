import { isLocal } from '@oja/platform';

export interface Cookie {
  readonly name: string;
  /** Null: the browser forgets it. */
  readonly value: string | null;
  /** Without it the cookie goes with the browser's window. */
  readonly maxAgeSeconds?: number;
}

/** Our cookies are all alike: read by no script, sent to our own pages only, by no other site. */
export interface Cookies {
  /** The cookie's value in a Cookie header; undefined when it is not there. */
  read(header: string | undefined, name: string): string | undefined;
  /** A Set-Cookie header. @throws for a value that is no plain token. */
  write(cookie: Cookie): string;
}

const plainValue = /^[A-Za-z0-9._~!*-]*$/;

/** Over https the name says `__Host-`, so that no other host of the domain can plant one. */
export function createCookies(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:') || !isLocal(publicUrl);
  const fullName = (name: string) => (secure ? `__Host-${name}` : name);
  return {
    read(header, name) {
      const prefix = `${fullName(name)}=`;
      const pair = header?.split(';').find((part) => part.trim().startsWith(prefix));
      return pair?.trim().slice(prefix.length);
    },
    write({ name, value, maxAgeSeconds }) {
      if (!plainValue.test(value ?? ''))
        throw new Error(`the cookie ${name} has a value with signs`);
      const age = value === null ? 0 : maxAgeSeconds;
      return [
        `${fullName(name)}=${value ?? ''}`,
        'Path=/',
        'HttpOnly',
        'SameSite=Strict',
        ...(secure ? ['Secure'] : []),
        ...(age === undefined ? [] : [`Max-Age=${age}`]),
      ].join('; ');
    },
  };
}
