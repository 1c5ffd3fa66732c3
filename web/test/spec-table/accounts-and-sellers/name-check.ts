import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { callCount, failure } from '../steps.js';

const CHECK = 'GET /v1/businessName-checker/:businessName';
const register = at('/register');
const withName = (name: string) => (stage: Stage) => stage.type('Business name', name);
export const nameCheck: readonly Row[] = [
  register('ms from the last letter of the name to its check', 500, {
    measure: async (stage) => {
      await stage.settled();
      await stage.stopClock();
      await stage.type('Business name', 'Coal City');
      return stage.msUntil(() => stage.callsTo(CHECK).length > 0, 10, 2_000);
    },
  }),
  register('checks of a name of 2 characters', 0, {
    measure: async (stage) => {
      await stage.settled();
      await stage.stopClock();
      await stage.type('Business name', 'Co');
      await stage.pass(2_000);
      return stage.callsTo(CHECK).length;
    },
  }),
  register('checks of a name of 3 characters', 1, callCount(CHECK), withName('Coa')),
  register('checks of a name typed in three strokes', 1, callCount(CHECK), async (stage) => {
    for (const name of ['Coal', 'Coal ', 'Coal City']) await withName(name)(stage);
  }),
  register(
    'while a check runs',
    'Checking',
    (stage) => stage.find('[aria-label=Checking]')[0]?.getAttribute('aria-label') ?? '',
    (stage) => {
      stage.holds(CHECK);
      return withName('Coal City')(stage);
    },
  ),
  register('the name is free', 'Business name is available!', 'text', withName('Coal City')),
  register('the name is taken', 'Business name is already taken!', 'text', (stage) => {
    stage.answers(CHECK, 200, { exists: true });
    return withName('Coal City')(stage);
  }),
  register(
    'the name is taken, its input in error',
    'true',
    (stage) => stage.find('[name=businessName]')[0]?.getAttribute('aria-invalid') ?? '',
    (stage) => {
      stage.answers(CHECK, 200, { exists: true });
      return withName('Coal City')(stage);
    },
  ),
  register(
    'the check fails',
    'An error occurred while checking the business name.',
    'text',
    (stage) => {
      stage.answers(CHECK, 500, failure());
      return withName('Coal City')(stage);
    },
  ),
  register('a free name emptied', 'Business name is available!', 'absent', async (stage) => {
    await withName('Coal City')(stage);
    await stage.sees('Business name is available!');
    await withName('')(stage);
  }),
  register('before the next check', 'Business name is available!', 'absent', async (stage) => {
    await withName('Coal City')(stage);
    await stage.sees('Business name is available!');
    await withName('Coal City Foot')(stage);
  }),
];
