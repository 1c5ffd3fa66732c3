import { ifeanyi } from '../people.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, count, failure, press, sentValue, sequence } from '../steps.js';

const UPDATE = 'PUT /v1/user/update/:userId';
const page = at('/dashboard/profile', asSeller);
const edit = press('edit details');
const save = sequence(edit, press('Update Profile'));
const refused = (status: number, body: Record<string, unknown>) => (stage: Stage) => {
  stage.answers(UPDATE, status, { ...failure(), ...body });
  return save(stage);
};
const locked = count('form input[readonly]');

export const profile: readonly Row[] = [
  page('name', 'Ifeanyi Eze', (stage) => stage.value('Name')),
  page('business name', 'Coal City Footwear', (stage) => stage.value('Business name')),
  page('phone number', '08065512904', (stage) => stage.value('Phone number')),
  page('fields that can only be read', 3, locked),
  page('viewed', 'Update Profile', 'absent'),
  page('edit details pressed', 'Update Profile', 'button', edit),
  page('edited: fields that can only be read', 0, locked, edit),
  page('edited: fields that are required', 3, count('form [aria-required=true]'), edit),
  page('saved', 'Profile updated successfully', 'toast', save),
  page('saved', 'edit details', 'button', save),
  page(
    'saved, in view mode',
    'Update Profile',
    'absent',
    sequence(save, (stage) => stage.sees('Profile updated successfully', 'toast')),
  ),
  page(
    'what is sent',
    '{"name":"Ifeanyi Eze","businessName":"Coal City Shoes","phone_1":"08065512904"}',
    sentValue(UPDATE),
    sequence(
      edit,
      (stage) => stage.type('Business name', 'Coal City Shoes'),
      press('Update Profile'),
    ),
  ),
  page('saved: the name in the header', 'Coal City Shoes, options', 'button', (stage) => {
    stage.answers(UPDATE, 200, {
      success: true,
      userDetails: { ...ifeanyi, businessName: 'Coal City Shoes' },
    });
    return save(stage);
  }),
  page(
    'a field is missing',
    /Phone number|phone_1/,
    'alert',
    refused(400, { missingFields: ['phone_1'] }),
  ),
  page('another error', 'Unexpected error', 'alert', refused(500, {})),
];
