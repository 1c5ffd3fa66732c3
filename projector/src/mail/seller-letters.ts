import {
  isNewsLetterEvent,
  isSecurityEvent,
  type NewsLetterEvent,
  type NoticeEvent,
  type NotificationDocument,
  notifications,
  type ObligationDocument,
  obligations,
  type SecurityEvent,
  type SellerDocument,
  type SellersCollections,
  sellers,
} from '@oja/contracts/models';
import { pagePath, pagePaths } from '@oja/contracts/pages';
import {
  codeExpiresAt,
  EMAIL_CODE_VALID_MS,
  keySubject,
  MINUTE_MS,
  SELLER_NEWS_MS,
  streamNames,
} from '@oja/domain';
import { orderNumber } from '@oja/domain/rules';
import { hasPassed, isPosition, type Letter, type Sealer, type State } from '@oja/platform';
import { type Content, greeting, link, paragraph, render, table, toLetter } from './letter.js';
import { isSettled, type Outcome } from './letter-state.js';
import { isMailWanted, type SellerNewsDeps } from './seller-news.js';

/** The letters whose address is that of the time of their event. */
type WarningKind = 'address-left' | 'seller-warning';

interface SellerLettersOptions extends SellerNewsDeps {
  readonly sealer: Sealer;
  readonly state: State;
  readonly publicUrl: string;
}

/**
 * Composes the letters to sellers. Returns an outcome instead when nothing is to be sent.
 * @throws when the seller or the code has not been projected yet.
 */
export function createSellerLetters(options: SellerLettersOptions) {
  const { documents, readModels, clock, sealer, state, publicUrl } = options;

  async function sellerOf(sellerId: string): Promise<SellerDocument> {
    const collection = await readModels.liveCollection(sellers, 'sellers');
    const document = await documents.get<SellerDocument>(collection, sellerId);
    if (document === null) throw new Error(`the seller ${sellerId} has not been projected yet`);
    return document;
  }

  /** Whether the sellers are as of the event of a warning, which the obligations may have passed before them. */
  async function isProjected(kind: WarningKind, subject: string): Promise<boolean> {
    const collection = await readModels.liveCollection(obligations, 'due');
    const listed = await documents.get<ObligationDocument>(collection, `${kind}/${subject}`);
    if (listed === null || !isPosition(listed.position)) return false;
    return hasPassed(await readModels.checkpointOf(sellers), listed.position);
  }

  /** A warning that is still owed, with its seller and the opened address; an outcome when none is to be sent. */
  async function warningOf(kind: WarningKind, subject: string) {
    if (!(await isProjected(kind, subject)))
      throw new Error(`the event of a warning (${subject}) has not been projected yet`);
    const collection = await readModels.liveCollection(sellers, 'warnings');
    const warning = await documents.get<SellersCollections['warnings']>(collection, subject);
    if (warning === null || clock.now() - Date.parse(warning.at) >= SELLER_NEWS_MS)
      return 'not-owed';
    const [sellerId = '', eventId = ''] = subject.split('/');
    const seller = await sellerOf(sellerId);
    const stream = streamNames.seller(sellerId);
    const to = await sealer.open(stream, 'email', warning.email);
    return to === null ? 'nobody' : { ...warning, seller, eventId, to };
  }

  return {
    /** `subject`: `<seller>/<number of the request>`. An expired or replaced code is not sent. */
    async 'email-code'(subject: string): Promise<Letter | Outcome> {
      const [sellerId = '', ask = ''] = subject.split('/');
      const { letters, businessName } = await sellerOf(sellerId);
      if (letters.asks < Number(ask))
        throw new Error(`the code ${subject} has not been projected yet`);
      const { asked } = letters;
      if (asked === null || letters.asks !== Number(ask)) return 'not-owed';
      if (Date.parse(codeExpiresAt(asked.at)) <= clock.now()) return 'not-owed';
      const stream = streamNames.seller(sellerId);
      const [to, code] = await sealer.openMany([
        { stream, field: 'email', value: asked.email },
        { stream, field: 'code', value: asked.code },
      ]);
      if (to == null || code == null) return 'nobody';
      return toLetter(
        'email-code',
        keySubject('seller', sellerId),
        to,
        emailCode(businessName, code),
        ask,
      );
    },

    /**
     * `subject`: `<seller>/<event>`. If somebody else changed the address, this letter is the last that reaches
     * its owner.
     */
    async 'address-left'(subject: string): Promise<Letter | Outcome> {
      const warning = await warningOf('address-left', subject);
      if (typeof warning === 'string') return warning;
      const { to, eventId, seller } = warning;
      const { sellerId, businessName, letters } = seller;
      const current =
        letters.email && (await sealer.open(streamNames.seller(sellerId), 'email', letters.email));
      if (to === current) return 'not-owed';
      const content = addressLeft(businessName);
      return toLetter('address-left', keySubject('seller', sellerId), to, content, eventId);
    },

    /** `subject`: `<seller>/<event>`. It goes out also while letters are off: whoever did it can switch them off. */
    async 'seller-warning'(subject: string): Promise<Letter | Outcome> {
      const warning = await warningOf('seller-warning', subject);
      if (typeof warning === 'string') return warning;
      const { to, type, eventId, seller } = warning;
      if (!isSecurityEvent(type)) return 'not-owed';
      const { sellerId, businessName } = seller;
      const content = securityLetter(businessName, type, publicUrl);
      return toLetter('seller-warning', keySubject('seller', sellerId), to, content, eventId);
    },

    /** `subject`: the notice's id. A cleared notice has been read, so it is not mailed. */
    async 'seller-news'(subject: string): Promise<Letter | Outcome> {
      const collection = await readModels.liveCollection(notifications, 'items');
      const notice = await documents.get<NotificationDocument>(collection, subject);
      if (notice === null) return 'not-owed';
      const { sellerId, eventId } = notice;
      if (await isSettled(state, 'seller-news', eventId, clock.now())) return 'forgone';
      const { letters, lettersSince, businessName } = await sellerOf(sellerId);
      if (letters.email === null || !isMailWanted(notice, lettersSince, clock.now()))
        return 'not-owed';
      const to = await sealer.open(streamNames.seller(sellerId), 'email', letters.email);
      if (to === null) return 'nobody';
      const content = newsLetter(businessName, notice, publicUrl);
      return toLetter('seller-news', keySubject('seller', sellerId), to, content, eventId);
    },
  };
}

/** The reader may never have heard of Oja: sellers can mistype their address. */
const emailCode = (businessName: string, code: string): Content =>
  render('Your code for letters from Oja', [
    paragraph(greeting(businessName)),
    paragraph(
      `The seller ${businessName} on Oja asked for letters about their money at this address. If that was you, type ` +
        'this code into your profile there:',
    ),
    paragraph(code),
    paragraph(`It is good for ${EMAIL_CODE_VALID_MS / MINUTE_MS} minutes.`),
    paragraph('If it was not you, do nothing: without the code nothing more is sent to you.'),
    paragraph('Oja'),
  ]);

const addressLeft = (businessName: string): Content =>
  render('Letters from Oja no longer come to this address', [
    paragraph(greeting(businessName)),
    paragraph(
      `Letters about the money of the seller ${businessName} on Oja came to this address. In the seller's profile it was ` +
        'replaced or removed, and this is the last one.',
    ),
    paragraph(
      'If it was you, there is nothing for you to do. If not, somebody knows your password: change it, see in your ' +
        'profile whether the bank account is yours, and write to us.',
    ),
    paragraph('Oja'),
  ]);

const security: Readonly<Record<SecurityEvent, { readonly title: string; readonly told: string }>> =
  {
    PayoutAccountSet: {
      title: 'Your payouts go to another bank account now',
      told: 'The bank account in your profile was replaced by another.',
    },
    SellerPasswordChanged: {
      title: 'Your password was changed',
      told: 'Every other browser was logged out. Whoever knows the new password can change your bank account.',
    },
    SellerPasswordReset: {
      title: 'Oja gave you a one-time password',
      told: 'Your old password no longer works. Log in with the one-time password, and choose your own.',
    },
    SellerLettersSwitched: {
      title: 'E-mails about your money are switched off',
      told: 'They were switched off in your profile. You are still told here of another bank account or password.',
    },
  };

function securityLetter(businessName: string, type: SecurityEvent, publicUrl: string): Content {
  const { title, told } = security[type];
  return render(title, [
    paragraph(greeting(businessName)),
    paragraph(told),
    paragraph(
      'If it was you, there is nothing for you to do. If not, write to us at once. If your password still works, ' +
        'change it, and see in your profile whether the bank account is yours.',
    ),
    link('Your profile', publicUrl + pagePaths.profile),
    paragraph('Letters about your password and bank account come also while e-mails are off.'),
    paragraph('Oja'),
  ]);
}

const nothingToDo = 'There is nothing for you to do.';
/** What the seller should do next. */
const nextSteps: Readonly<Record<NewsLetterEvent, string>> = {
  SellerShareReleased:
    'The money is payable now and goes to the bank account in your profile. Please see that one is given there.',
  PayoutCompleted:
    'Your bank may take a working day to show it. If it has not come by then, please write to us.',
  PayoutFailed:
    'Please check the bank details in your profile: what is owed to you is sent again, and stands under Sales.',
  DeliveryDisputed:
    'Your money for these goods is held until Oja has settled it. Please keep whatever shows what was handed over.',
  RefundRequested:
    'You are not paid for these goods. If you have not handed them over yet, please keep them.',
  PaymentDisputed:
    'Until that is settled the payment may be taken back. You keep what was paid out to you. Please keep whatever shows ' +
    'what was handed over.',
  PaymentDisputeClosed: nothingToDo,
  PaymentReversed:
    'You keep what was paid out to you. The rest went with it, unless a transfer that is under way still arrives. If you ' +
    'have not handed the goods over yet, please keep them.',
  PaymentRestored: nothingToDo,
  SellerSuspended: 'Please write to us to hear why, and how to open it again.',
  SellerReinstated: nothingToDo,
};

const forfeited =
  'The payment of the order was taken back meanwhile, so this is not sent again unless the payment comes back.';

const onceSettled = "once the bank's dispute of the payment is settled";
const awaitsBank = `It is paid out ${onceSettled}, unless the bank takes the payment back.`;
/** What to do next where payable money waits for the end of a bank's dispute, and there is something to do. */
const whileDisputed: Partial<Record<NoticeEvent, string>> = {
  SellerShareReleased: `${awaitsBank} Please see that a bank account is given in your profile.`,
  PayoutFailed: `Please check the bank details in your profile: what is owed to you is sent again ${onceSettled}.`,
};

const byHand = 'It was paid by hand. If you have not got it, please write to us.';

/** What is to be done next. */
function nextStep({ type, ...notice }: NotificationDocument): string {
  if (notice.forfeited) return forfeited;
  if (notice.byHand) return byHand;
  if (notice.awaitsBank) return whileDisputed[type] ?? awaitsBank;
  return isNewsLetterEvent(type) ? nextSteps[type] : nothingToDo;
}

/** Contains nothing about the buyer: sellers never learn who the buyer is. */
function newsLetter(
  businessName: string,
  notice: NotificationDocument,
  publicUrl: string,
): Content {
  const { told, transactionId, lines } = notice;
  const [title = told] = told.split('.');
  const next = nextStep(notice);
  const about =
    transactionId === null
      ? [paragraph(told), paragraph(next), link('Your store', publicUrl + pagePaths.dashboard)]
      : [
          paragraph(`${told}. It is order ${orderNumber(transactionId)}:`),
          table(lines.map(({ name, quantity }) => [name, `× ${quantity}`])),
          paragraph(next),
          link('The order', publicUrl + pagePath('order', { transactionId })),
        ];
  return render(transactionId === null ? title : `${told} (order ${orderNumber(transactionId)})`, [
    paragraph(greeting(businessName)),
    ...about,
    paragraph('You asked for letters like this one. Switch them off, or change the address, here:'),
    link('Your profile', publicUrl + pagePaths.profile),
    paragraph('Oja'),
  ]);
}
