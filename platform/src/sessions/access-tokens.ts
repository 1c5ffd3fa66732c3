import { errors, jwtVerify, SignJWT } from 'jose';

/** How long an access token is valid, in seconds. */
export const ACCESS_TOKEN_SECONDS = 600;

/** Names the person and the session, nothing else. Rights are read at each call. */
export interface AccessClaims {
  readonly subject: string;
  readonly session: string;
}

export type AccessTokenReading =
  | { readonly status: 'valid'; readonly claims: AccessClaims }
  | { readonly status: 'expired' }
  | { readonly status: 'malformed' };

export interface AccessTokens {
  issue(claims: AccessClaims, now: number): Promise<string>;
  /** Never throws: any text is valid, expired or malformed. */
  read(token: string, now: number): Promise<AccessTokenReading>;
}

/**
 * JWTs signed with HS256, with the secret itself as the key. Tokens signed with the fallback (the
 * previous or next secret during a rotation) are accepted too. Times are epoch milliseconds.
 */
export function createAccessTokens(secret: string, fallback: string | null = null): AccessTokens {
  const key = new TextEncoder().encode(secret);
  const older = fallback === null ? null : createAccessTokens(fallback);
  return {
    issue: (claims, now) =>
      new SignJWT({ sid: claims.session })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(claims.subject)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor(now / 1000) + ACCESS_TOKEN_SECONDS)
        .sign(key),

    read: async (token, now) => {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          currentDate: new Date(now),
        });
        const { sub, sid } = payload;
        if (typeof sub !== 'string' || typeof sid !== 'string') return { status: 'malformed' };
        return { status: 'valid', claims: { subject: sub, session: sid } };
      } catch (error) {
        if (older && error instanceof errors.JWSSignatureVerificationFailed)
          return older.read(token, now);
        return { status: error instanceof errors.JWTExpired ? 'expired' : 'malformed' };
      }
    },
  };
}
