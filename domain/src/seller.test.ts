import { describe, expect, it } from 'vitest';
import { given } from '../test/given.js';
import { seller } from './seller.js';

const sealed = { sealed: 'x', subject: 'seller:ada' };
const profile = { businessName: 'Ada Stores', name: sealed, phone: sealed };
const register = { type: 'RegisterSeller', sellerId: 'ada', claim: 1, ...profile } as const;
const operator = { kind: 'operator' } as const;
const head = { kind: 'seller', sellerId: 'head', isHeadAdmin: true } as const;
const suspend = { type: 'ToggleSuspension', actor: head } as const;
const crown = { type: 'SetHeadAdmin', isHeadAdmin: true, actor: operator } as const;
const promote = { type: 'SetSubAdmin', isSubAdmin: true, actor: head } as const;

describe('a seller', () => {
  it('registers once, under a possible name', () => {
    given(seller).when(register).thenHappens('SellerRegistered');
    given(seller, register).when(register).thenRefused({ code: 'registered' });
    given(seller)
      .when({ ...register, businessName: 'admin' })
      .thenRefused({ errors: { businessName: 'this name is reserved' } });
  });

  it('that is not there is told so', () => {
    given(seller).when(suspend).thenRefused({ kind: 'not-found' });
  });

  it('may change the profile, to a possible name', () => {
    const named = { ...profile, businessName: 'Ada & Sons' };
    const update = { type: 'UpdateProfile', ...named, claim: 1 } as const;
    given(seller, register).when(update).thenHappens('SellerProfileUpdated');
    given(seller, register)
      .when({ ...update, businessName: 'A' })
      .thenRefused({ kind: 'invalid' });
    expect(given(seller, register, update).state).toMatchObject({ businessName: 'Ada & Sons' });
  });

  it('goes by a name that was claimed, and by none whose claim was given up', () => {
    const update = { type: 'UpdateProfile', ...profile, businessName: 'Ada & Sons' } as const;
    const forgo = { type: 'ForgoName', sellerId: 'ada', nameKey: 'ada-&-sons', claim: 2 } as const;
    given(seller, register).when(update).thenRefused({ code: 'claim_lost' });
    given(seller, register, forgo)
      .when({ ...update, claim: 2 })
      .thenRefused({ code: 'claim_lost' });
    given(seller, register, forgo)
      .when({ ...update, claim: 3 })
      .thenHappens('SellerProfileUpdated');
    given(seller, { ...forgo, nameKey: 'ada-stores', claim: 1 })
      .when(register)
      .thenRefused({ code: 'claim_lost' });
    given(seller)
      .when({ ...register, businessName: 'Constructor' })
      .thenHappens('SellerRegistered');
  });

  it('gives up a claim once, and not to the name that they go by', () => {
    const forgo = { type: 'ForgoName', sellerId: 'ada', nameKey: 'ada-&-sons', claim: 2 } as const;
    given(seller).when(forgo).thenHappens('BusinessNameForgone');
    given(seller, register, forgo).when(forgo).thenNothing();
    given(seller, register, forgo)
      .when({ ...forgo, claim: 1 })
      .thenNothing();
    given(seller, register)
      .when({ ...forgo, nameKey: 'ada-stores' })
      .thenNothing();
    given(seller, register)
      .when({ type: 'UpdateProfile', ...profile })
      .thenHappens('SellerProfileUpdated');
  });

  it('has given up each of several claims, also those from before they registered', () => {
    const forgo = { type: 'ForgoName', sellerId: 'ada', nameKey: 'ada-&-sons', claim: 2 } as const;
    const another = { ...forgo, nameKey: 'ada-bags' };
    const update = { type: 'UpdateProfile', ...profile, claim: 2 } as const;
    for (const businessName of ['Ada & Sons', 'Ada Bags'])
      given(seller, forgo, another, register)
        .when({ ...update, businessName })
        .thenRefused({ code: 'claim_lost' });
  });

  it('keeps a name that today’s rules would give to nobody, and gets no other such', () => {
    const before = { sellerId: 'ada', ...profile, businessName: 'Oja Support' };
    const state = seller.evolve(seller.initial, { type: 'SellerRegistered', data: before });
    const update = { type: 'UpdateProfile', ...before, claim: 1 } as const;
    expect(seller.decide(update, state)).toMatchObject({ ok: true });
    expect(seller.decide({ ...update, businessName: 'Oja Official' }, state)).toMatchObject({
      ok: false,
      refusal: { errors: { businessName: 'this name is reserved' } },
    });
  });

  it('may say where payouts go', () => {
    given(seller, register)
      .when({
        type: 'SetPayoutAccount',
        accountName: sealed,
        accountNumber: sealed,
        bankCode: sealed,
      })
      .thenHappens('PayoutAccountSet');
  });

  it('changes the password, or has it reset by an operator', () => {
    given(seller, register)
      .when({ type: 'RecordPassword', what: 'changed' })
      .thenHappens('SellerPasswordChanged');
    given(seller, register)
      .when({ type: 'RecordPassword', what: 'reset' })
      .thenHappens('SellerPasswordReset');
  });
});

describe('rights', () => {
  it('are changed by a head admin and by an operator, by nobody else', () => {
    const other = { kind: 'seller', sellerId: 'bisi', isHeadAdmin: false } as const;
    given(seller, register)
      .when(suspend)
      .thenHappens({ type: 'SellerSuspended', data: { sellerId: 'ada', by: 'head' } });
    given(seller, register)
      .when({ ...suspend, actor: operator })
      .thenHappens({ type: 'SellerSuspended', data: { by: 'operator' } });
    given(seller, register)
      .when({ ...suspend, actor: other })
      .thenRefused({ kind: 'forbidden', code: 'not_head_admin' });
  });

  it('of oneself are changed by another, and those of a head admin by an operator', () => {
    const self = { kind: 'seller', sellerId: 'ada', isHeadAdmin: true } as const;
    given(seller, register, crown)
      .when({ ...suspend, actor: self })
      .thenRefused({ code: 'yourself' });
    given(seller, register, crown).when(suspend).thenRefused({ code: 'head_admin' });
  });

  it('to suspend are a toggle', () => {
    given(seller, register, suspend).when(suspend).thenHappens('SellerReinstated');
  });

  it('to suspend stand as they are wanted to, however often that is said', () => {
    const off = { ...suspend, wanted: 'suspended' } as const;
    given(seller, register)
      .when({ ...suspend, wanted: 'active' })
      .thenNothing();
    given(seller, register).when(off).thenHappens('SellerSuspended');
    given(seller, register, off).when(off).thenNothing();
  });

  it('of a sub-admin are given once and taken once', () => {
    given(seller, register).when(promote).thenHappens('SubAdminGranted');
    given(seller, register, promote).when(promote).thenNothing();
    given(seller, register, promote)
      .when({ ...promote, isSubAdmin: false })
      .thenHappens('SubAdminRevoked');
    const taken = given(seller, register, promote, { ...promote, isSubAdmin: false });
    taken.when({ ...promote, isSubAdmin: false }).thenNothing();
    taken.when(promote).thenHappens('SubAdminGranted');
  });

  it('of a head admin are not given to who is suspended, whom nobody could reinstate then', () => {
    const reinstated = { ...suspend, wanted: 'active' } as const;
    given(seller, register, suspend).when(crown).thenRefused({
      kind: 'conflict',
      code: 'suspended',
      message: 'This seller is suspended: a head admin has to reinstate them first',
    });
    given(seller, register, suspend, reinstated).when(crown).thenHappens('HeadAdminGranted');
    given(seller, register, suspend)
      .when({ ...crown, isHeadAdmin: false })
      .thenNothing();
  });

  it('of a head admin are taken from who is suspended', () => {
    given(seller, register, crown, { ...suspend, actor: operator })
      .when({ ...crown, isHeadAdmin: false })
      .thenHappens('HeadAdminRevoked');
  });

  it('of a head admin are given and taken by an operator only', () => {
    given(seller, register).when(crown).thenHappens('HeadAdminGranted');
    given(seller, register, crown).when(crown).thenNothing();
    given(seller, register, crown)
      .when({ ...crown, isHeadAdmin: false })
      .thenHappens('HeadAdminRevoked');
    const taken = given(seller, register, crown, { ...crown, isHeadAdmin: false });
    taken.when({ ...crown, isHeadAdmin: false }).thenNothing();
    taken.when(suspend).thenHappens('SellerSuspended');
    given(seller, register)
      .when({ ...crown, actor: head })
      .thenRefused({ code: 'operator_only' });
  });
});
