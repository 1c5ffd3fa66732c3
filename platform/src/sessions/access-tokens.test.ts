import { describe, expect, it } from 'vitest';
import { ACCESS_TOKEN_SECONDS, createAccessTokens } from './access-tokens.js';

const NOW = 1_800_000_000_000;
const tokens = createAccessTokens('a secret of thirty-two characters');
const claims = { subject: 'ada', session: 's1' };

describe('an access token', () => {
  it('says who and which session, and nothing else', async () => {
    const token = await tokens.issue(claims, NOW);
    expect(await tokens.read(token, NOW)).toEqual({ status: 'valid', claims });
  });

  it('expires', async () => {
    const token = await tokens.issue(claims, NOW);
    const late = NOW + (ACCESS_TOKEN_SECONDS + 1) * 1_000;
    expect(await tokens.read(token, late)).toEqual({ status: 'expired' });
  });

  it.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEiLCJzaWQiOiJzMSJ9.'])(
    'that is none is malformed: %j',
    async (token) => expect(await tokens.read(token, NOW)).toEqual({ status: 'malformed' }),
  );

  it('of the fallback is as good, and expires as well', async () => {
    const both = createAccessTokens(
      'another secret of enough letters',
      'a secret of thirty-two characters',
    );
    const token = await tokens.issue(claims, NOW);
    expect(await both.read(token, NOW)).toEqual({ status: 'valid', claims });
    const late = NOW + (ACCESS_TOKEN_SECONDS + 1) * 1_000;
    expect(await both.read(token, late)).toEqual({ status: 'expired' });
    expect(await tokens.read(await both.issue(claims, NOW), NOW)).toEqual({ status: 'malformed' });
  });

  it('of another secret is malformed, also when it has expired', async () => {
    const foreign = await createAccessTokens('another secret of enough letters').issue(claims, 0);
    expect(await tokens.read(foreign, NOW)).toEqual({ status: 'malformed' });
  });
});
