import { EMAIL_CODE_VALID_MS, MINUTE_MS, SELLER_NEWS_MS } from '@oja/domain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projections } from '../src/index.js';
import { follow } from './support/follow.js';
import { EMAIL, SellerMail } from './support/seller-mail.js';
import { recorded } from './support/shop.js';

let market: SellerMail;
beforeEach(async () => {
  market = await SellerMail.open();
});
afterEach(() => market.close());

describe('a code', () => {
  it('goes once to the address that it is to prove', async () => {
    await market.asked(1);
    const { mailer } = market.office();
    expect(await mailer.deliver('email-code', 'ada/1')).toBe('sent');
    expect(await mailer.deliver('email-code', 'ada/1')).toBe('sent-before');
    await market.round();
    expect(market.toSellers()).toHaveLength(1);
    expect(market.toSellers()[0]).toMatchObject({
      to: EMAIL,
      subject: 'seller:ada',
      replyTo: 'help@oja.example',
      title: 'Your code for letters from Oja',
    });
    expect(market.toSellers()[0]?.text).toContain('\n\n000001\n\n');
    expect(market.toSellers()[0]?.text).toContain('It is good for 30 minutes.');
  });

  it('is written by the next round where its job was lost', async () => {
    await market.asked(1);
    await market.round();
    await market.round();
    expect(market.titles()).toEqual(['Your code for letters from Oja']);
  });

  it('that is good for nothing any more is not written', async () => {
    await market.asked(1);
    await market.asked(2, 'other@example.com');
    const { mailer } = market.office();
    expect(await mailer.deliver('email-code', 'ada/1')).toBe('not-owed');
    market.now += EMAIL_CODE_VALID_MS;
    expect(await mailer.deliver('email-code', 'ada/2')).toBe('not-owed');
    await market.asked(3);
    await market.confirmed(3);
    expect(await mailer.deliver('email-code', 'ada/3')).toBe('not-owed');
    expect(market.letters).toEqual([]);
  });

  it('that the read model does not know of yet is tried again', async () => {
    await expect(market.office().mailer.deliver('email-code', 'ada/1')).rejects.toThrow(
      /projected yet/,
    );
  });
});

describe('an address that letters no longer go to', () => {
  const TITLE = 'Letters from Oja no longer come to this address';
  const left = () => market.toSellers().filter(({ title }) => title === TITLE);

  it('is told so once, when another takes its place and when it is removed', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.round();
    expect(left()).toEqual([]);
    await market.asked(2, 'new@example.com');
    await market.confirmed(2);
    await market.removed();
    await market.round();
    await market.round();
    expect(left().map(({ to }) => to)).toEqual([EMAIL, 'new@example.com']);
    expect(left()[0]).toMatchObject({ subject: 'seller:ada', replyTo: 'help@oja.example' });
    expect(left()[0]?.text).toContain('somebody knows your password');
    expect(left()[0]?.text).not.toContain('new@example.com');
  });

  it('is told so however many others came and went after it before a round', async () => {
    for (const ask of [1, 2, 3, 4, 5, 6, 7]) {
      await market.asked(ask, ask === 1 ? EMAIL : `thief-${ask}@example.com`);
      await market.confirmed(ask);
    }
    await market.removed();
    await market.round();
    expect(left().map(({ to }) => to)).toContain(EMAIL);
  });

  it('is written to later where the read model does not know of its end yet', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.round();
    const data = { sellerId: 'ada' };
    const revision = market.log.events.filter(({ stream }) => stream === 'seller-ada').length;
    const raw = recorded('seller-ada', revision, 'SellerEmailRemoved', data);
    market.log.record([{ ...raw, metadata: { ...raw.metadata, time: market.at() } }]);
    const follows = async (is: (name: string) => boolean) => {
      for (const projection of projections)
        if (is(projection.name))
          await follow(market.log, market.documents, projection, { batchSize: 9 });
    };
    await follows((name) => name === 'obligations');
    await market.round();
    expect(left()).toEqual([]);
    await follows((name) => name !== 'obligations');
    market.now += MINUTE_MS;
    await market.round();
    expect(left()).toHaveLength(1);
  });

  it('is not written to where it was confirmed again, nor long after, nor once its seller is forgotten', async () => {
    for (const ask of [1, 2]) {
      await market.asked(ask);
      await market.confirmed(ask);
    }
    await market.round();
    await market.removed();
    market.now += SELLER_NEWS_MS;
    await market.round();
    await market.asked(3);
    await market.confirmed(3);
    await market.removed();
    await market.stores.keys.destroy('seller:ada');
    await market.round();
    expect(left()).toEqual([]);
  });
});

describe('a change that may be the doing of somebody who knows the password', () => {
  const part = { sealed: 'x', subject: 'seller:ada' };
  const account = { accountName: part, accountNumber: part, bankCode: part };
  const sellerId = 'ada';
  const accountSet = () =>
    market.ofAda({ type: 'PayoutAccountSet', data: { sellerId, ...account } });
  const titled = (title: string) => market.toSellers().filter((each) => each.title === title);
  const ACCOUNT = 'Your payouts go to another bank account now';

  beforeEach(async () => {
    await accountSet();
    await market.asked(1);
    await market.confirmed(1);
    await market.round();
  });

  it('is told once, at the address that was confirmed then, and the first bank account is none', async () => {
    expect(titled(ACCOUNT)).toEqual([]);
    await accountSet();
    await market.ofAda({ type: 'SellerPasswordChanged', data: { sellerId } });
    await market.ofAda({ type: 'SellerPasswordReset', data: { sellerId, by: 'operator' } });
    await market.switched(false);
    await market.switched(true);
    await market.round();
    await market.round();
    expect(market.titles()).toEqual([
      ACCOUNT,
      'Your password was changed',
      'Oja gave you a one-time password',
      'E-mails about your money are switched off',
    ]);
    expect(titled(ACCOUNT)[0]).toMatchObject({ to: EMAIL, replyTo: 'help@oja.example' });
    expect(titled(ACCOUNT)[0]?.text).toContain('If not, write to us at once.');
  });

  it.each([
    ['the notices are cleared', () => market.cleared()],
    ['letters are switched off', () => market.switched(false)],
    ['the address is removed', () => market.removed()],
    [
      'another address takes its place',
      async () => {
        await market.asked(2, 'thief@example.com');
        await market.confirmed(2);
      },
    ],
  ])('is told there although %s before a letter goes', async (_, hush) => {
    await accountSet();
    await hush();
    await market.round();
    expect(titled(ACCOUNT).map(({ to }) => to)).toEqual([EMAIL]);
  });

  it('is told while letters are off, which they may have been for long', async () => {
    await market.switched(false);
    await market.round();
    market.now += SELLER_NEWS_MS;
    await market.ofAda({ type: 'SellerPasswordChanged', data: { sellerId } });
    await market.suspended();
    await market.round();
    expect(market.titles()).toContain('Your password was changed');
    expect(market.titles()).not.toContain('Your store is suspended');
  });

  it('is not told without a confirmed address, nor long after, nor once its seller is forgotten', async () => {
    await market.removed();
    await accountSet();
    await market.asked(2);
    await market.confirmed(2);
    await accountSet();
    market.now += SELLER_NEWS_MS;
    await market.round();
    await accountSet();
    await market.stores.keys.destroy('seller:ada');
    await market.round();
    expect(titled(ACCOUNT)).toEqual([]);
  });
});
