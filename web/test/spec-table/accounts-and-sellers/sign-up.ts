import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { callCount, count, failure, press, signUp } from '../steps.js';

const register = at('/register');
const signedUp = (label: string, value: string) => (stage: Stage) =>
  signUp(stage, { [label]: value });

export const signUpForm: readonly Row[] = [
  register('a field', 'Name', 'label'),
  register('a field', 'Business name', 'label'),
  register('a field', 'Phone number', 'label'),
  register('a field', 'Password', 'label'),
  register('the business-name input', 'business name', 'placeholder'),
  register(
    'the password at first',
    'password',
    ({ find }) => find('input[autocomplete=new-password]')[0]?.getAttribute('type') ?? '',
  ),
  register(
    'Show password pressed',
    'text',
    ({ find }) => find('input[autocomplete=new-password]')[0]?.getAttribute('type') ?? '',
    press('Show password'),
  ),
  register(
    'shown and hidden again',
    'password',
    ({ find }) => find('input[autocomplete=new-password]')[0]?.getAttribute('type') ?? '',
    press('Show password', 'Hide password'),
  ),
  register('the terms', 'I agree to the Terms and Privacy Policy', 'label'),
  register('terms not ticked', 'SIGN UP', 'disabled'),
  register('terms ticked', 'SIGN UP', 'enabled', press(/^I agree/)),
  register('terms ticked and unticked', 'SIGN UP', 'disabled', press(/^I agree/, /^I agree/)),
  register('Terms pressed', '/terms-&-conditions', 'address', press('Terms')),
  register('Privacy Policy pressed', '/privacy-policy', 'address', press('Privacy Policy')),
  register('login pressed', '/login', 'address', press('login')),
  register('its header', 0, count('[data-header-bar]')),

  register('no name', 'please enter your name!', 'text', signedUp('Name', '')),
  register('a name of 5 characters', 'minimum of 6 characters', 'text', signedUp('Name', 'Ifean')),
  register('a name of 6 characters', '/upload-product', 'address', signedUp('Name', 'Ifeany')),
  register(
    'no business name',
    'please enter your business name!',
    'text',
    signedUp('Business name', ''),
  ),
  register(
    'no business name',
    'Please enter your Business Name.',
    'toast',
    signedUp('Business name', ''),
  ),
  register(
    'a business name of 3 characters',
    'minimum of 4 characters',
    'text',
    signedUp('Business name', 'Eze'),
  ),
  register(
    'a business name of 4 characters',
    '/upload-product',
    'address',
    signedUp('Business name', 'Ezes'),
  ),
  register(
    'no phone number',
    'please enter your Phone number!',
    'text',
    signedUp('Phone number', ''),
  ),
  register(
    '10 numbers',
    'please enter your Phone number!',
    'text',
    signedUp('Phone number', '0806551290'),
  ),
  register(
    '12 numbers',
    'please enter your Phone number!',
    'text',
    signedUp('Phone number', '080655129045'),
  ),
  register(
    '11 signs, one of them a letter',
    'please enter your Phone number!',
    'text',
    signedUp('Phone number', '0806551290A'),
  ),
  register('no password', 'please enter your passwordd!', 'text', signedUp('Password', '')),
  register(
    'a password of 7 characters',
    'please enter your passwordd!',
    'text',
    signedUp('Password', 'indigo7'),
  ),
  register(
    'a password of 8 characters',
    '/upload-product',
    'address',
    signedUp('Password', 'indigo78'),
  ),
  register('a wrong form', 0, callCount('POST /v1/register'), signedUp('Name', '')),
  register(
    'what is sent',
    'name,businessName,phone_1,password',
    (stage) => Object.keys(Object(stage.callsTo('POST /v1/register')[0]?.body)).join(),
    signUp,
  ),
  register('refused', 'The market said no', 'alert', async (stage) => {
    stage.answers('POST /v1/register', 409, failure());
    await signUp(stage);
  }),
  register('refused for a field', 'is taken', 'text', async (stage) => {
    stage.answers('POST /v1/register', 409, { ...failure(), errors: { businessName: 'is taken' } });
    await signUp(stage);
  }),
];
