import { pagePaths } from '@oja/contracts/pages';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { renderAt } from '../../../test/render.js';
import { hold, pick, press, setUpUploads, shrinkOnceReleased } from '../../../test/uploading.js';
import { asRecord as readFields } from '../../api/as-record.js';
import { ownGoodsQuery } from '../../api/own-products.js';
import { queryClient } from '../../api/query-client.js';
import { followOtherTabs } from '../../stores/persistent-store.js';
import { changeDraft, clearDraft, emptyDraft, getDraft } from './draft.js';
import Upload from './UploadPage.js';

vi.mock('./picture-files.js', async (original) => ({
  ...(await original<typeof import('./picture-files.js')>()),
  shrink: shrinkOnceReleased,
}));

const DRAFTS = 'oja-upload';
const { server, seen, toastTexts } = setUpUploads();
let posts = 0;
let posted: unknown;
beforeEach(() => {
  posts = 0;
  server.use(
    http.post('*/v1/add-product', async ({ request }) => {
      posts += 1;
      posted = readFields(await request.json()).updatedInput;
      return HttpResponse.json({ success: true, productId: 'p1' });
    }),
  );
});
afterEach(() => clearDraft('s7'));

/** Opens the form of a complete draft. */
async function open(): Promise<void> {
  onTestFinished(followOtherTabs());
  changeDraft('s7', (draft) => ({
    ...draft,
    subcategoryId: 3,
    state: 'Lagos',
    localGovt: 'Apapa',
    values: { prod_name: 'Field watch', description: 'Keeps time.' },
    price: '20000',
  }));
  renderAt('/upload-product', [{ path: pagePaths.upload, element: <Upload /> }]);
  await pick('a.png', 'b.png');
  await screen.findByText('Remove picture 2');
}

/** What another tab stores while its seller types a name and a price into the draft. */
function typeElsewhere(prod_name: string, price: string): void {
  const { state, ...rest } = JSON.parse(localStorage.getItem(DRAFTS) ?? '{}');
  const { s7 } = state.drafts;
  const drafts = { s7: { ...s7, values: { ...s7.values, prod_name }, price } };
  localStorage.setItem(DRAFTS, JSON.stringify({ ...rest, state: { ...state, drafts } }));
}

/** What another tab stores once it has uploaded the draft. */
function uploadElsewhere(): void {
  const { state, ...rest } = JSON.parse(localStorage.getItem(DRAFTS) ?? '{}');
  const uploaded = { s7: (state.uploaded?.s7 ?? 0) + 1 };
  localStorage.setItem(DRAFTS, JSON.stringify({ ...rest, state: { drafts: {}, uploaded } }));
}
const hearOfIt = () =>
  act(async () => void dispatchEvent(new StorageEvent('storage', { key: DRAFTS })));

/** Another tab that holds the seller's lock until the returned function is called. */
function lockElsewhere(): () => void {
  let isHeld = true;
  const request = async (_: string, __: LockOptions, work: (lock: unknown) => unknown) =>
    work(isHeld ? null : {});
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: { request } } }));
  return () => {
    isHeld = false;
  };
}

it('a picture that was being scaled down while another tab uploaded the draft is in no later one', async () => {
  await open();
  const arrive = hold('late.png');
  await pick('late.png');
  uploadElsewhere();
  await hearOfIt();
  expect(toastTexts).toEqual([
    'Your product was uploaded in another tab, before these pictures were ready.',
  ]);
  await act(async () => arrive());
  await pick('c.png');
  await screen.findByText('Remove picture 1');
  expect(getDraft('s7').pictures.map(({ mark }) => mark.split('/')[0])).toEqual(['c.png']);
});

it('a draft that another tab is uploading is not uploaded a second time', async () => {
  await open();
  const letGo = lockElsewhere();
  press('Upload');
  press('Upload');
  await waitFor(() =>
    expect(toastTexts).toEqual(['This product is being uploaded in another tab.']),
  );
  expect([seen.pictures, posts]).toEqual([0, 0]);
  // Its upload failed there.
  letGo();
  press('Upload');
  await waitFor(() => expect(posts).toBe(1));
  expect(seen.pictures).toBe(2);
  await waitFor(() => expect(getDraft('s7').pictures).toEqual([]));
});

it('a draft that another tab has just uploaded is not uploaded again by a tab that has not heard of it', async () => {
  await open();
  const letGo = lockElsewhere();
  letGo();
  uploadElsewhere();
  press('Upload');
  await waitFor(() => expect(screen.queryByText('Remove picture 1')).toBeNull());
  expect([seen.pictures, posts]).toEqual([0, 0]);
});

it('what another tab types while the pictures are sent is not posted with them, and stays as the next draft', async () => {
  let letGo = () => {};
  const isHeld = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server.use(
    http.post('http://images.localhost/upload', async () => {
      seen.pictures += 1;
      await isHeld;
      return HttpResponse.json({ secure_url: `http://images.localhost/${seen.pictures}.jpg` });
    }),
  );
  await open();
  press('Upload');
  await waitFor(() => expect(seen.pictures).toBe(1));
  typeElsewhere('Gold watch', '900000');
  await hearOfIt();
  letGo();
  await waitFor(() => expect(toastTexts).toEqual(['successfully uploaded your product!!!']));
  expect(posted).toMatchObject({ prod_name: 'Field watch', price: 23000 });
  expect(getDraft('s7')).toEqual({
    ...emptyDraft,
    subcategoryId: 3,
    values: { prod_name: 'Gold watch' },
    price: '900000',
  });
});

it('the list of own products that stood before the upload is not shown again after it', async () => {
  const { queryKey } = ownGoodsQuery({ find: '', status: undefined });
  await open();
  queryClient.setQueryData(queryKey, { pages: [], pageParams: [] });
  press('Upload');
  await waitFor(() => expect(toastTexts).toEqual(['successfully uploaded your product!!!']));
  expect(queryClient.getQueryData(queryKey)).toBeUndefined();
});

it('a draft that another tab has just made incomplete is not sent', async () => {
  await open();
  typeElsewhere('', '900000');
  press('Upload');
  await screen.findByText('Please enter all asterisked (*) fields!');
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect([seen.pictures, posts]).toEqual([0, 0]);
});
