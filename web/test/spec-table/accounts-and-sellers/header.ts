import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asAdmin, asSeller, asSubAdmin, failure, press, sequence } from '../steps.js';

const LOGOUT = 'DELETE /v1/logout';

/** Opens the list first, so that an absent option is looked for in an open list. */
const options =
  (...names: readonly string[]) =>
  async (stage: Stage) => {
    await stage.press(/, options$/);
    await stage.sees('Log out', 'button');
    await stage.press(...names);
  };
const dashboard = at('/dashboard', asSeller);
const asLoggedOut = sequence(asSeller, (stage) => stage.press('logout'));
const keptUser = (stage: Stage) =>
  JSON.stringify(
    Reflect.get(Object(Reflect.get(Object(stage.kept('auth-storage')), 'state')), 'user'),
  );

export const sellerHeader: readonly Row[] = [
  dashboard('its header', 'I am looking for...', 'absent'),
  at('/dashboard/notifications', asSeller)('its header', 'I am looking for...', 'absent'),
  at('/upload-product', asSeller)('its header', 'Coal City Footwear'),
  at('/upload-product', asSeller)(
    'My Store pressed',
    '/sellers-store/Coal-City-Footwear',
    'address',
    press('My Store'),
  ),
  dashboard('its header', 'My Store', 'absent'),
  dashboard('the options', 'Profile', 'link', options()),
  dashboard('the options', 'upload', 'link', options()),
  dashboard('the options', 'Log out', 'button', options()),
  at('/', asSeller)('Profile in the options', '/dashboard/profile', 'address', options('Profile')),
  at('/', asSeller)('upload in the options', '/upload-product', 'address', options('upload')),
  at('/', asSeller)('Log out in the options', 'logged out!', 'toast', options('Log out')),
  at('/', asSubAdmin)(
    'To Admin in the options',
    '/admin-dashboard',
    'address',
    options('To Admin'),
  ),
  at('/', asSeller)('the options of who is no sub-admin', 'To Admin', 'absent', options()),
  at('/', asAdmin)(
    'the options of who is no sub-admin but an admin',
    'To Admin',
    'absent',
    options(),
  ),

  dashboard('a way on', 'logout', 'button'),
  dashboard('upload pressed', '/upload-product', 'address', press('upload')),
  dashboard('Profile pressed', '/dashboard/profile', 'address', press('Profile')),
  at('/dashboard', asSubAdmin)(
    'To Admin pressed',
    '/admin-dashboard',
    'address',
    press('To Admin'),
  ),
  dashboard('a seller', 'To Admin', 'absent'),
  dashboard('logout pressed', 'logged out!', 'toast', press('logout')),
  dashboard('logouts sent when it is pressed again before the answer', 1, {
    measure: async (stage) => {
      const answer = stage.holds(LOGOUT);
      await stage.press('logout', 'logout');
      answer();
      await stage.sees('logged out!', 'toast');
      await stage.settled();
      return stage.callsTo(LOGOUT).length;
    },
  }),
  dashboard('logout pressed, the user kept', 'null', keptUser, press('logout')),
  at('/dashboard')('logged out and back', '/login', 'address', async (stage) => {
    await asLoggedOut(stage);
    await stage.sees('logged out!', 'toast');
    await stage.go('/dashboard');
  }),
  dashboard('logout fails', 'logged out!', 'absent', async (stage) => {
    stage.answers(LOGOUT, 500, failure());
    await stage.press('logout');
  }),
];
