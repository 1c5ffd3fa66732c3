import { describe, expect, it } from 'vitest';
import { given } from '../test/given.js';
import { type BusinessNameCommand, businessName } from './business-name.js';
import { UNUSED_CLAIM_MS } from './rules/times.js';

const START = Date.parse('2026-03-01T08:00:00.000Z');
const after = (ms: number) => new Date(START + ms).toISOString();
const claim = (sellerId: string, at = after(0)) =>
  ({ type: 'ClaimName', nameKey: 'ada-stores', businessName: 'Ada Stores', sellerId, at }) as const;
const release = { type: 'ReleaseName', sellerId: 'ada' } as const;

describe('a business name', () => {
  it('belongs to who claims it first', () => {
    given(businessName).when(claim('ada')).thenHappens('BusinessNameClaimed');
    given(businessName, claim('ada')).when(claim('bisi')).thenRefused({ code: 'name_taken' });
  });

  it('must be a possible one', () => {
    given(businessName)
      .when({ ...claim('ada'), businessName: 'Ada', nameKey: 'ada' })
      .thenRefused({ kind: 'invalid', errors: { businessName: 'minimum of 4 characters' } });
  });

  it('is renewed by its holder, and each claim has a number of its own', () => {
    const later = after(UNUSED_CLAIM_MS / 2);
    given(businessName, claim('ada'))
      .when(claim('ada', later))
      .thenHappens({ type: 'BusinessNameClaimed', data: { at: later } });
    const claims = (...before: readonly BusinessNameCommand[]) =>
      given(businessName, ...before).state.claims;
    expect(claims()).toBe(0);
    expect(claims(claim('ada'), claim('ada', later))).toBe(2);
    expect(claims(claim('ada'), release, claim('bisi'))).toBe(2);
  });

  it('is let go by its holder alone, and is free then', () => {
    given(businessName, claim('ada')).when(release).thenHappens('BusinessNameReleased');
    given(businessName, claim('ada'))
      .when({ ...release, sellerId: 'bisi' })
      .thenNothing();
    given(businessName, claim('ada'), release)
      .when(claim('bisi'))
      .thenHappens('BusinessNameClaimed');
    given(businessName, claim('ada'), release).when(release).thenNothing();
  });

  it('is not let go when its claim was renewed in the meantime', () => {
    const renewed = after(UNUSED_CLAIM_MS - 1);
    const sweep = { ...release, claim: 1 };
    given(businessName, claim('ada')).when(sweep).thenHappens('BusinessNameReleased');
    given(businessName, claim('ada'), claim('ada', renewed)).when(sweep).thenNothing();
  });
});
