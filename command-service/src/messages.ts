import type { BodyOf, Calls } from '@oja/contracts';
import {
  businessNameKey,
  contact,
  contactEvents,
  keySubject,
  review,
  seller,
  sellerActor,
  streamNames,
} from '@oja/domain';
import { type Failure, refuse } from '@oja/http';
import { type JsonObject, nowOf } from '@oja/platform';
import { z } from 'zod';
import {
  contextFor,
  derivedId,
  failedAnswer,
  invalidField,
  missingFieldNames,
  missingFieldsAnswer,
  reusedKeyAnswer,
  VISITOR,
} from './commands.js';
import type { Deps, Handler } from './deps.js';

type Request = Parameters<Handler<'addComment'>>[0];
type Author = { readonly sellerId: string; readonly businessName: string };
type Signed =
  | { readonly ok: true; readonly by: Author | null }
  | { readonly ok: false; readonly failed: Failure };

/** Decides who signs a review: nobody, or the seller who is signed in. */
async function resolveAuthor({ load }: Pick<Deps, 'load'>, request: Request): Promise<Signed> {
  const { actor, body, tokenFailure } = request;
  const businessName = body.businessName ?? '';
  if (businessName === '') return { ok: true, by: null };
  // Report an expired token, so that the client renews it and retries.
  if (tokenFailure !== null) return { ok: false, failed: tokenFailure };
  const { state } = await load(seller, actor?.sellerId ?? 'nobody');
  const own = state.status === 'registered' ? state.businessName : '';
  if (actor === null || businessNameKey(own) !== businessNameKey(businessName))
    return { ok: false, ...invalidField('businessName', 'must be your own, or left out') };
  if (actor.suspended)
    return { ok: false, ...refuse(403, 'Your account is suspended: reviews are anonymous now') };
  return { ok: true, by: { sellerId: actor.sellerId, businessName: own } };
}

const starsOf = ({ bar1, bar2, bar3, bar4, bar5 }: BodyOf<Calls['addComment']>['ratingData']) =>
  [bar1, bar2, bar3, bar4, bar5].indexOf(1) + 1;

/** Whether this is the review that was posted. `posted`: the event's data. */
const isSameReview = (
  { comment, stars }: { readonly comment: string; readonly stars: number },
  posted: JsonObject | undefined,
): boolean => posted?.comment === comment.trim() && posted.stars === stars;

/** Posts a review, anonymous or signed by the seller who is signed in. */
export const addComment =
  (deps: Pick<Deps, 'load' | 'handle' | 'clock'>): Handler<'addComment'> =>
  async (request) => {
    const signed = await resolveAuthor(deps, request);
    if (!signed.ok) return { failed: signed.failed };
    const { by } = signed;
    const reviewId = derivedId(request.commandId, 'review');
    const command = {
      type: 'PostReview',
      reviewId,
      by,
      comment: request.body.comment_text,
      stars: starsOf(request.body.ratingData),
      at: nowOf(deps),
    } as const;
    const context = contextFor(request, by === null ? VISITOR : sellerActor(by.sellerId));
    const handled = await deps.handle(review, reviewId, command, context);
    if (!handled.ok) return failedAnswer(handled);
    if (handled.repeated && !isSameReview(command, handled.events[0]?.data))
      return reusedKeyAnswer('review');
    return {
      status: 201,
      body: { success: true, comment_id: reviewId },
      position: handled.position,
    };
  };

const EMAIL_ERROR = 'Invalid email format';
const emailAddress = z.email();
const contactFields = ['name', 'email', 'subject', 'message'] as const;

/**
 * Accepts a message to the support, sealed under its own key. The event creates the obligation to
 * send the letter, so it is not lost while the mail is down.
 */
export const sendEmail =
  ({ handle, sealer, clock }: Pick<Deps, 'handle' | 'sealer' | 'clock'>): Handler<'sendEmail'> =>
  async (request) => {
    const { name = '', email = '', subject = '', message = '' } = request.body;
    const fields = { name, email, subject, message };
    const missing = missingFieldNames(fields);
    if (missing.length > 0) return missingFieldsAnswer(missing);
    if (!emailAddress.safeParse(email).success)
      return refuse(400, EMAIL_ERROR, {
        errors: { email: EMAIL_ERROR },
        details: { emailError: EMAIL_ERROR },
      });
    const contactId = derivedId(request.commandId, 'contact');
    const stream = streamNames.contact(contactId);
    const sealed = await sealer.seal(keySubject('contact', contactId), stream, fields);
    const handled = await handle(
      contact,
      contactId,
      { type: 'SendMessage', contactId, ...sealed, at: nowOf({ clock }) },
      contextFor(request, request.actor === null ? VISITOR : sellerActor(request.actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    if (handled.repeated) {
      const received = contactEvents.ContactMessageReceived.parse(handled.events[0]?.data);
      const values = contactFields.map((field) => ({ stream, field, value: received[field] }));
      const opened = await sealer.openMany(values);
      if (contactFields.some((field, index) => fields[field] !== opened[index]))
        return reusedKeyAnswer('message');
    }
    return {
      status: 200,
      body: { success: true, message: 'Email sent successfully' },
      position: handled.position,
    };
  };
