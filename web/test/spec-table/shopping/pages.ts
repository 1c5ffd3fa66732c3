import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { failure, press, sentValue, sequence, texts } from '../steps.js';

const EMAIL = 'POST /v1/email/sendEmail';
const terms = at('/terms-&-conditions');
const privacy = at('/privacy-policy');
const about = at('/about');
const contact = at('/contact');
const prefilled = at('/contact?subject=VERFICATION+ERROR&message=Payment+failed');
const locked = (stage: Stage) =>
  stage
    .find('form [readonly]')
    .map((field) => field.getAttribute('name'))
    .join();

async function write(stage: Stage) {
  await stage.type('Name', 'Ngozi Obi');
  await stage.type('Email', 'ngozi@example.com');
  await stage.type('Subject', 'A question');
  await stage.type('Message', 'Do you deliver to Epe?');
  await stage.press('Send');
}
const refused = (body: Record<string, unknown>) => async (stage: Stage) => {
  stage.answers(EMAIL, 400, { ...failure(), ...body });
  await write(stage);
};

export const pages: readonly Row[] = [
  terms('its title', 'Terms and Conditions', 'heading'),
  terms('the damage charge', '₦30,000'),
  terms('the damage charge', /faulty product is charged a damage/),
  terms('all transactions', /[Aa]ll transactions must go through/),
  terms('sellers', /courteous/),
  privacy('its title', 'Privacy Policy', 'heading'),
  privacy(
    'its breadcrumb',
    /^Home\s*\|?\s*Privacy Policy$/,
    texts('nav[aria-label=Breadcrumb]', ' '),
  ),
  ...['Personal', 'Demographic', 'Financial', 'Usage'].map((kind) =>
    privacy(`what is collected`, new RegExp(`^${kind} information`), 'heading'),
  ),
  privacy('use', /use your information/, 'heading'),
  privacy('third parties', 'Third parties', 'heading'),
  privacy('choices', 'Your choices', 'heading'),
  privacy('choices', /access, correct or delete/),
  privacy('whom to write to', 'help@oja.test', 'link'),
  privacy('security', 'Security', 'heading'),
  privacy('changes', 'Changes', 'heading'),
  about('its title', 'About Us', 'heading'),
  ...['Safest', 'Easiest', 'Fastest', 'Market'].map((name) => about('a section', name, 'heading')),
  about('the claim', /held by .* and released to the seller only after delivery is confirmed/),
  about('the claim', /If the product is not delivered, you get a refund/),
  about('the fee', /fee is paid on receipt/),
  about('sellers', /free store/),

  contact('its form', 'Write Us', 'heading'),
  contact('its details', 'Get in touch', 'heading'),
  contact('a phone number', '+234 803 000 1111', 'link'),
  contact('an address', '4 Broad Street, Lagos Island'),
  contact('no parameters: locked fields', '', locked, (stage) => stage.sees('Write Us', 'heading')),
  prefilled('subject given', 'VERFICATION ERROR', (stage) => stage.value('Subject')),
  prefilled('message given', 'Payment failed', (stage) => stage.value('Message')),
  prefilled('subject and message given: locked fields', 'subject,message', locked),
  at('/contact?subject=Hello')('subject given: locked fields', 'subject', locked),
  contact(
    'what is sent',
    '{"name":"Ngozi Obi","email":"ngozi@example.com","subject":"A question","message":"Do you deliver to Epe?"}',
    sentValue(EMAIL),
    write,
  ),
  contact('sent', 'Email sent successfully', 'toast', write),
  contact(
    'sent: the form',
    '',
    (stage) => stage.value('Message'),
    sequence(write, (stage) => stage.sees('Email sent successfully', 'toast')),
  ),
  ...['name', 'email', 'subject', 'message'].map((field) =>
    contact(
      'a field is missing',
      `${field} is required`,
      'text',
      refused({ missingFields: [field] }),
    ),
  ),
  contact(
    'the phone number is missing',
    'mobile number is required',
    'text',
    refused({ missingFields: ['phoneNumber'] }),
  ),
  contact(
    'a field is missing: at its line',
    'true',
    (stage) => stage.find('[name=subject]')[0]?.getAttribute('aria-invalid') ?? '',
    refused({ missingFields: ['subject'] }),
  ),
  contact(
    'the e-mail is wrong',
    'invalid email format',
    'text',
    refused({ emailError: 'invalid email format' }),
  ),
  contact(
    'the e-mail is wrong: at its line',
    'true',
    (stage) => stage.find('[name=email]')[0]?.getAttribute('aria-invalid') ?? '',
    refused({ emailError: 'invalid email format' }),
  ),
  contact(
    'a field is missing: the form keeps what was typed',
    'Do you deliver to Epe?',
    (stage) => stage.value('Message'),
    sequence(refused({ missingFields: ['subject'] }), press('Send')),
  ),
];
