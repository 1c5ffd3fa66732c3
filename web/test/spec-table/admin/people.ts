import { type everybody, headAdmin, ifeanyi, musa, subAdmin, suspended } from '../people.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import {
  asAdmin,
  asSeller,
  asSubAdmin,
  callCount,
  failure,
  press,
  sequence,
  texts,
} from '../steps.js';

const USERS = 'GET /v1/user/getAllUsers';
const SUB_ADMIN = 'PUT /v1/update-subAdmin';
const SUSPEND = 'PUT /v1/user/:userId/toggle-suspended';
const FILTER = 'filter by BusinessName/ID...';

const home = at('/admin-dashboard', asAdmin);
const subHome = at('/admin-dashboard', asSubAdmin);
const sellers = at('/admin-dashboard/sellers', asAdmin);
const admins = at('/admin-dashboard/admins', asAdmin);
const audit = at('/admin-dashboard/admins?view=audit', asAdmin);
const cards = texts('.UserCards-card h2');
const only = (user: (typeof everybody)[number]) => (stage: Stage) =>
  stage.answers(USERS, 200, { success: true, result: [user], nextCursor: null });
const fails = (stage: Stage) => stage.answers(USERS, 400, failure());
const filtered = (words: string) => (stage: Stage) => stage.type(FILTER, words);
const add = sequence(
  press(/^Add An Admin/),
  (stage) => stage.type('Seller ID', 's1'),
  press('Add admin'),
);
const noId = (stage: Stage) => {
  const errors = { sellerId: 'is not one of the forms that are accepted' };
  stage.answers(SUB_ADMIN, 400, { ...failure(), errors });
  return add(stage);
};
const asked = (name: string) => (stage: Stage) => stage.callsTo(SUB_ADMIN)[0]?.query[name];

const dashboard: readonly Row[] = [
  home('a card', /^Add An Admin/, 'button'),
  home('a card', /^Total Admins/, 'link'),
  home('a card', /^Add\/Edit Category/, 'button'),
  home('a card', /^Total Sellers/, 'link'),
  home('the cards of an admin', 4, (stage) => stage.find('.AdminHomePage-tile').length),
  subHome(
    'the cards of a sub-admin',
    'Total Admins, Total Sellers',
    texts('.AdminHomePage-tile b'),
  ),
  subHome('a sub-admin', /^Add An Admin/, 'absent'),
  subHome('a sub-admin', /^Add\/Edit Category/, 'absent'),
  home('Total Admins pressed', '/admin-dashboard/admins', 'address', press(/^Total Admins/)),
  home('Total Sellers pressed', '/admin-dashboard/sellers', 'address', press(/^Total Sellers/)),
  at('/admin-dashboard', asSeller)('a seller', '/dashboard', 'address'),
  at('/admin-dashboard/sellers', asSeller)('a seller', '/dashboard', 'address'),
  at('/admin-dashboard/admins', asSeller)('a seller', '/dashboard', 'address'),
  at('/admin-dashboard/t1', asSeller)('a seller', '/dashboard', 'address'),
  home('nothing waits', 'Nothing. No buyer complains, and no delivery is overdue.'),
  home('an admin added', 'Admin added successfully', 'toast', add),
  home('an admin added: who', 's1', asked('sellerId'), add),
  home('an admin added: as', 'true', asked('isSubAdmin'), add),
  home('an admin added, a field missing', /Seller ID|sellerId/, 'text', (stage) => {
    stage.answers(SUB_ADMIN, 400, { ...failure(), missingFields: ['sellerId'] });
    return add(stage);
  }),
  home('an admin added, by what is no ID', 'This is not the ID of a seller', 'text', noId),
  home(
    'an admin added by what is no ID, and asked again',
    'This is not the ID of a seller',
    'absent',
    sequence(
      noId,
      (stage) => stage.sees('This is not the ID of a seller'),
      press('Close', /^Add An Admin/),
    ),
  ),
];

const sellersView: readonly Row[] = [
  sellers('the count, admins left out', 'Total Sellers 4', 'heading'),
  sellers('a card each', 'Ifeanyi Eze, Musa Danladi, Kemi Ojo, Bola Ade', cards),
  sellers('a card: name', 'Musa Danladi', 'heading', only(musa)),
  sellers(
    'a card: ID, business name, phone number',
    's1, Musa & Sons Watches, 08023456789',
    texts('.UserCards-card dd'),
    only(musa),
  ),
  sellers('to the buyers', 'Buyers', 'link'),
  sellers('Buyers pressed', '/admin-dashboard/sellers?view=buyers', 'address', press('Buyers')),
  at('/admin-dashboard/sellers?view=buyers', asAdmin)(
    'Sellers pressed',
    /^Total Sellers/,
    'heading',
    press('Sellers'),
  ),
  sellers('its filter', FILTER, 'placeholder'),
  sellers('the exact id typed', 'Musa Danladi', cards, filtered('s1')),
  sellers(
    'the business name typed, in whatever case',
    'Musa Danladi',
    cards,
    filtered('MUSA & SONS watches'),
  ),
  sellers('part of a business name typed', '', cards, filtered('Musa')),
  sellers('what nobody is called typed', '', cards, filtered('Nobody')),
  sellers('active', 'Deactivate', 'button', only(ifeanyi)),
  sellers('active', 'Activate', 'absent', only(ifeanyi)),
  sellers('suspended', 'Activate', 'button', only(suspended)),
  sellers('suspended', 'Deactivate', 'absent', only(suspended)),
  sellers('a seller', 'Make Admin', 'button', only(ifeanyi)),
  sellers('a sub-admin', 'Delete Admin', 'button', only(subAdmin)),
  sellers('a sub-admin', 'Make Admin', 'absent', only(subAdmin)),
  sellers(
    'cards in the style of sub-admins',
    1,
    (stage) => stage.find('.UserCards-card.UserCards-subAdmin').length,
  ),
  at('/admin-dashboard/sellers', asSubAdmin)(
    'to a sub-admin',
    'Deactivate',
    'absent',
    only(ifeanyi),
  ),
  at('/admin-dashboard/sellers', asSubAdmin)(
    'to a sub-admin',
    'Make Admin',
    'absent',
    only(ifeanyi),
  ),
  sellers(
    'Make Admin pressed: asks first',
    'Make Ifeanyi Eze an admin?',
    'heading',
    sequence(only(ifeanyi), press('Make Admin')),
  ),
  sellers(
    'Make Admin pressed, and not now: nothing is asked',
    0,
    callCount(SUB_ADMIN),
    sequence(only(ifeanyi), press('Make Admin', 'Not now')),
  ),
  sellers('a way on', 'CSV', 'button'),
  sellers(
    'Make Admin pressed',
    'sucessfully made Ifeanyi Eze an Admin',
    'toast',
    sequence(only(ifeanyi), press('Make Admin', 'Yes, make an admin')),
  ),
  sellers(
    'Make Admin pressed: what is asked',
    's7 true',
    (stage) => Object.values(stage.callsTo(SUB_ADMIN)[0]?.query ?? {}).join(' '),
    sequence(only(ifeanyi), press('Make Admin', 'Yes, make an admin')),
  ),
  sellers(
    'Delete Admin pressed',
    'sucessfully removed Bola Ade from being an Admin',
    'toast',
    sequence(only(subAdmin), press('Delete Admin')),
  ),
  sellers(
    'Delete Admin pressed: what is asked',
    'a2 false',
    (stage) => Object.values(stage.callsTo(SUB_ADMIN)[0]?.query ?? {}).join(' '),
    sequence(only(subAdmin), press('Delete Admin')),
  ),
  sellers(
    'Make Admin pressed: the list is read again',
    2,
    callCount(USERS),
    sequence(only(ifeanyi), press('Make Admin', 'Yes, make an admin')),
  ),
  sellers(
    'Deactivate pressed: who',
    's7',
    (stage) => stage.callsTo(SUSPEND)[0]?.params.userId,
    sequence(only(ifeanyi), press('Deactivate')),
  ),
  sellers('Make Admin fails: only logged', 'The market said no', 'absent', (stage) => {
    stage.answers(SUB_ADMIN, 500, failure());
    return sequence(only(ifeanyi), press('Make Admin', 'Yes, make an admin'))(stage);
  }),
  sellers('Deactivate fails: only logged', 'The market said no', 'absent', (stage) => {
    stage.answers(SUSPEND, 500, failure());
    return sequence(only(ifeanyi), press('Deactivate'))(stage);
  }),
  sellers('the list fails', 'Error getting all Users', 'heading', fails),
];

const adminsList: readonly Row[] = [
  admins('the count', 'Total Admins 2', 'heading'),
  admins('a card each', 'Amaka Nwosu, Bola Ade', cards),
  admins('a sub-admin', 'Deactivate', 'button', only(subAdmin)),
  admins('a suspended one', 'Activate', 'button', only({ ...subAdmin, is_suspended: 1 })),
  admins('a sub-admin', 'Delete Admin', 'button', only(subAdmin)),
  admins('oneself', 'Deactivate', 'absent', only(headAdmin)),
  admins('to what they did', 'What they did', 'link'),
  audit('whose acts', 'What admins and operators did', 'heading'),
  audit('what was done to whom', /Suspended/),
  audit(
    'a payout by hand: whose, how much, why',
    /Musa & Sons.*₦4,348: Recorded as paid: paid in cash/,
  ),
  audit('a payout by hand: by whom', /Chidi O\. \(operator\)/),
  audit('by kind', 'All actions', 'option'),
  audit('payouts by hand alone', 'Payouts recorded or ended', 'option'),
  admins('the list fails', 'Error getting all Admins', 'heading', fails),
];

/** Sellers and admins, and what can be done to them. */
export const people: readonly Row[] = [...dashboard, ...sellersView, ...adminsList];
