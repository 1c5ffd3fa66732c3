import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../test/given.js';
import { hour } from '../test/orders.js';
import { emailCodes } from './rules/limits.js';
import { DAY_MS, EMAIL_CODE_VALID_MS, MINUTE_MS } from './rules/times.js';
import { seller } from './seller.js';

const sealed = (what: string) => ({ sealed: what, subject: 'seller:ada' });
const register = {
  type: 'RegisterSeller',
  sellerId: 'ada',
  claim: 1,
  businessName: 'Ada Stores',
  name: sealed('name'),
  phone: sealed('phone'),
} as const;
const ask = (at = hour(0), email = 'ada@x') =>
  ({ type: 'AskEmail', email: sealed(email), code: sealed('code'), at }) as const;
const typed = (isRight: boolean, at = hour(0), of = 1) =>
  ({ type: 'ConfirmEmail', ask: of, isRight, at }) as const;
const confirm = typed(true);
const remove = { type: 'RemoveEmail' } as const;
const switched = (on: boolean) => ({ type: 'SwitchLetters', on }) as const;
const later = (ms: number) => new Date(Date.parse(hour(0)) + ms).toISOString();

const known = (...before: Parameters<typeof seller.decide>[0][]) =>
  given(seller, register, ...before);
const lettersOf = (state: ReturnType<typeof known>['state']) =>
  state.status === 'registered' ? state.letters : null;

describe('an address for letters', () => {
  it('is there for letters once its code was typed, and letters are on then', () => {
    known(ask()).when(confirm).thenHappens('SellerEmailConfirmed');
    expect(lettersOf(known(ask()).state)).toMatchObject({ email: null, on: false });
    expect(lettersOf(known(ask(), confirm).state)).toMatchObject({
      email: sealed('ada@x'),
      on: true,
      asked: null,
    });
  });

  it('stays while another waits for its code, and goes when that was typed', () => {
    const asked = [ask(), confirm, ask(hour(1), 'bisi@x')];
    expect(lettersOf(known(...asked).state)).toMatchObject({ email: sealed('ada@x'), on: true });
    const both = known(...asked, typed(true, hour(1), 2)).state;
    expect(lettersOf(both)).toMatchObject({ email: sealed('bisi@x'), on: true });
  });

  it('is taken away with the code that is under way, and letters with it', () => {
    known(ask(), confirm).when(remove).thenHappens('SellerEmailRemoved');
    known(ask()).when(remove).thenHappens('SellerEmailRemoved');
    known().when(remove).thenNothing();
    known(ask(), remove).when(confirm).thenRefused({ code: 'no_email_code' });
    known(ask(), confirm, remove).when(switched(true)).thenRefused({ code: 'no_email' });
  });

  it('has letters switched off and on, once each', () => {
    known(ask(), confirm).when(switched(true)).thenNothing();
    known(ask(), confirm).when(switched(false)).thenHappens('SellerLettersSwitched');
    known(ask(), confirm, switched(false)).when(switched(false)).thenNothing();
    known().when(switched(true)).thenRefused({ code: 'no_email' });
    const again = known(ask(), confirm, switched(false), switched(true)).state;
    expect(lettersOf(again)).toMatchObject({ on: true });
  });
});

describe('a code', () => {
  it('is good for half an hour', () => {
    const last = later(EMAIL_CODE_VALID_MS - 1);
    known(ask()).when(typed(true, last)).thenHappens('SellerEmailConfirmed');
    known(ask())
      .when(typed(true, later(EMAIL_CODE_VALID_MS)))
      .thenRefused({ code: 'email_code_expired' });
  });

  it('may be mistyped five times, and is then good for nothing', () => {
    const wrong = Array.from({ length: emailCodes.tries }, () => typed(false));
    known(ask(), ...wrong.slice(1))
      .when(confirm)
      .thenHappens('SellerEmailConfirmed');
    known(ask(), ...wrong)
      .when(confirm)
      .thenRefused({ code: 'email_code_used_up' });
    known(ask(), ...wrong, ask())
      .when(typed(true, hour(0), 2))
      .thenHappens('SellerEmailConfirmed');
  });

  it('is that of the last asking alone', () => {
    known(ask(), ask(hour(0), 'bisi@x'))
      .when(confirm)
      .thenRefused({ code: 'no_email_code' });
    known().when(confirm).thenRefused({ code: 'no_email_code' });
    known(ask(), confirm).when(confirm).thenRefused({ code: 'no_email_code' });
  });

  it('is sent five times in any day', () => {
    const five = Array.from({ length: emailCodes.aDay }, (_, n) => ask(hour(n)));
    known(...five)
      .when(ask(hour(23)))
      .thenRefused({ code: 'email_codes_a_day' });
    known(...five)
      .when(ask(hour(24)))
      .thenHappens('SellerEmailAsked');
    known(...five, ask(hour(24)))
      .when(ask(hour(24)))
      .thenRefused({ code: 'email_codes_a_day' });
  });
});

it('no guesser has many tries a day, and only a right code in time confirms', () => {
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.constant('ask' as const) },
    { weight: 9, arbitrary: fc.constant('wrong' as const) },
    { weight: 1, arbitrary: fc.constant('right' as const) },
  );
  const steps = fc.array(fc.tuple(step, fc.nat({ max: 45 })), { maxLength: 120, size: 'max' });
  fc.assert(
    fc.property(steps, (taken) => {
      let { state } = known();
      let [now, sentAt] = [Date.parse(hour(0)), Number.NaN];
      const [sent, tried]: [number[], number[]] = [[], []];
      for (const [what, minutes] of taken) {
        now += minutes * MINUTE_MS;
        const at = new Date(now).toISOString();
        const of = lettersOf(state)?.asks ?? 0;
        const command = what === 'ask' ? ask(at) : typed(what === 'right', at, of);
        const decision = seller.decide(command, state);
        for (const event of decision.ok ? decision.events : []) {
          if (event.type === 'SellerEmailAsked') {
            sentAt = now;
            sent.push(now);
          } else tried.push(now);
          if (event.type === 'SellerEmailConfirmed') {
            expect(what).toBe('right');
            expect(now - sentAt).toBeLessThan(EMAIL_CODE_VALID_MS);
          }
          state = seller.evolve(state, event);
        }
      }
      const inDayFrom = (from: number, times: readonly number[]) =>
        times.filter((time) => time >= from && time < from + DAY_MS).length;
      const { aDay, tries } = emailCodes;
      for (const from of sent) expect(inDayFrom(from, sent)).toBeLessThanOrEqual(aDay);
      // One more code, sent just before the day began, may still be tried.
      for (const from of tried)
        expect(inDayFrom(from, tried)).toBeLessThanOrEqual((aDay + 1) * tries);
    }),
    { numRuns: 200 },
  );
});
