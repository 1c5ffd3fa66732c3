import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectErrors } from '../../../test/console.js';
import { renderAt } from '../../../test/render.js';
import {
  fillUpload,
  heldBack,
  hold,
  pick,
  press,
  setUpUploads,
  shrinkOnceReleased,
} from '../../../test/uploading.js';
import { queryClient } from '../../api/query-client.js';
import { settingsQuery } from '../../api/settings.js';
import { clearDraft, emptyDraft, getDraft } from './draft.js';
import { isRunning } from './progress.js';
import Upload from './UploadPage.js';

vi.mock('./picture-files.js', async (original) => ({
  ...(await original<typeof import('./picture-files.js')>()),
  shrink: shrinkOnceReleased,
}));

const { server, seen, toastTexts } = setUpUploads();
afterEach(() => clearDraft('s7'));

const pages = [{ path: pagePaths.upload, element: <Upload /> }];

describe('an upload that is pressed while pictures are still being scaled down', () => {
  /** The picture addresses of the products posted so far. */
  let posted: (readonly string[])[] = [];
  beforeEach(() => {
    posted = [];
    server.use(
      http.post('http://images.localhost/upload', async ({ request }) => {
        const file = (await request.formData()).get('file');
        const name = file instanceof File ? file.name : 'none';
        return HttpResponse.json({ secure_url: `http://images.localhost/${name}` });
      }),
      http.post<never, { imageUrls: string[] }>('*/v1/add-product', async ({ request }) => {
        posted.push((await request.json()).imageUrls);
        return HttpResponse.json({ success: true, productId: 'p9' }, { status: 201 });
      }),
    );
  });
  const addresses = (...names: string[]) => names.map((name) => `http://images.localhost/${name}`);

  it('waits for them under the bar, and sends all in the order picked', async () => {
    const goOn = hold('c.png');
    const { router } = renderAt('/upload-product', pages);
    await fillUpload();
    await pick('c.png', 'd.png');
    await pick('e.png');
    press('Upload');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('0');
    expect(screen.getByText('Picture 1 of 5. Keep this page open.')).toBeTruthy();
    await waitFor(() => expect(queryClient.getQueryData(settingsQuery.queryKey)).toBeDefined());
    await act(async () => goOn());
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(posted).toEqual([addresses('a.png', 'b.png', 'c.png', 'd.png', 'e.png')]);
    expect(getDraft('s7')).toEqual(emptyDraft);
  });

  it('counts them, so that none of them is called missing', async () => {
    const goOn = hold('c.png');
    const { router } = renderAt('/upload-product', pages);
    await fillUpload();
    press(/^Remove picture 1/);
    await pick('c.png');
    press('Upload');
    expect(screen.queryByText('minimum number of file is 2.')).toBeNull();
    goOn();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(posted).toEqual([addresses('b.png', 'c.png')]);
  });

  it('says which cannot be read, sends nothing when too few are left, and keeps the rest', async () => {
    expectErrors(/minimum number of file is 2/);
    const goOn = hold('unreadable.png');
    const { router } = renderAt('/upload-product', pages);
    await fillUpload();
    press(/^Remove picture 1/);
    await pick('unreadable.png');
    toastTexts.length = 0;
    press('Upload');
    goOn();
    await waitFor(() => expect(isRunning('s7')).toBe(false));
    expect(toastTexts).toEqual([
      'unreadable.png cannot be read as a picture.',
      'minimum number of file is 2.: Something went wrong. if this keeps showing please Contact Us',
    ]);
    expect(await screen.findByText('minimum number of file is 2.')).toBeTruthy();
    expect(screen.getByText('Remove picture 1')).toBeTruthy();
    expect(posted).toEqual([]);
    expect(router.state.location.pathname).toBe('/upload-product');
  });

  it('leaves nothing behind for the next product: neither one that came too late nor an Undo', async () => {
    const goOn = hold('late.png');
    const answer = hold('the answer');
    const asked = vi.fn();
    server.use(
      http.post('*/v1/add-product', async () => {
        asked();
        await heldBack.get('the answer');
        return HttpResponse.json({ success: true, productId: 'p9' }, { status: 201 });
      }),
    );
    const { router } = renderAt('/upload-product', pages);
    await fillUpload();
    await pick('c.png');
    fireEvent.click(await screen.findByText('Remove picture 3'));
    press('Upload');
    await waitFor(() => expect(asked).toHaveBeenCalled());
    await pick('late.png', 'unreadable.png');
    answer();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    await act(async () => goOn());
    await act(async () => seen.undo());
    expect(getDraft('s7')).toEqual(emptyDraft);
    expect(toastTexts.at(-1)).toBe('successfully uploaded your product!!!');
  });

  it('shows them again when the form was left in between', async () => {
    const goOn = hold('c.png');
    const first = renderAt('/upload-product', pages);
    await fillUpload();
    await pick('c.png');
    first.unmount();
    renderAt('/upload-product', pages);
    expect(document.querySelectorAll('ul > li')).toHaveLength(4);
    press('Upload');
    goOn();
    await waitFor(() => expect(posted).toEqual([addresses('a.png', 'b.png', 'c.png')]));
  });
});
