import { contact, keySubject } from '@oja/domain';
import { refuse } from '@oja/http';
import { streamOf } from '@oja/platform';
import { z } from 'zod';
import {
  contextOf,
  derivedId,
  failedAnswer,
  missingFieldsAnswer,
  missingOf,
  sellerActor,
  VISITOR,
} from './commands.js';
import type { Deps, Handler } from './deps.js';

const EMAIL_ERROR = 'Invalid email format';
const emailAddress = z.email();

/**
 * Takes in a message to the support, sealed under a key of its own. The letter is an obligation that
 * follows from the event, so it is not lost where the mail is down.
 */
export const sendEmail =
  ({ handle, sealer, clock }: Pick<Deps, 'handle' | 'sealer' | 'clock'>): Handler<'sendEmail'> =>
  async (request) => {
    const { name = '', email = '', subject = '', message = '' } = request.body;
    const fields = { name, email, subject, message };
    const missing = missingOf(fields);
    if (missing.length > 0) return missingFieldsAnswer(missing);
    if (!emailAddress.safeParse(email).success)
      return refuse(400, EMAIL_ERROR, {
        errors: { email: EMAIL_ERROR },
        details: { emailError: EMAIL_ERROR },
      });
    const contactId = derivedId(request.commandId, 'contact');
    const sealed = await sealer.seal(
      keySubject('contact', contactId),
      streamOf(contact, contactId),
      fields,
    );
    const handled = await handle(
      contact,
      contactId,
      { type: 'SendMessage', contactId, ...sealed, at: new Date(clock.now()).toISOString() },
      contextOf(request, request.actor === null ? VISITOR : sellerActor(request.actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    return {
      status: 200,
      body: { success: true, message: 'Email sent successfully' },
      position: handled.position,
    };
  };
