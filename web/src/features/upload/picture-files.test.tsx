import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { signIn, signOut } from '../../stores/session.js';
import { registerToaster } from '../../ui/toast.js';
import { clearDraft, draftAlbum } from './draft.js';
import { sendPictures } from './send.js';
import Upload from './UploadPage.js';

/** The size of a camera's photo. */
const PHOTO = { width: 4_032, height: 3_024 };
/** The bitmap of a photo that the browser can open, as Safari can open HEIC. */
class Bitmap {
  readonly width = PHOTO.width;
  readonly height = PHOTO.height;
  readonly close = vi.fn();
}
const context = { fillRect: vi.fn(), drawImage: vi.fn(), fillStyle: '', imageSmoothingQuality: '' };
/** The test browser cannot draw. */
const canvas = {
  getContext: () => context,
  toBlob: (done: BlobCallback, type?: string) =>
    done(new Blob(['smaller'], type === undefined ? {} : { type })),
};
const own = { ...Object.getOwnPropertyDescriptors(HTMLCanvasElement.prototype) };
const heic = (name = 'IMG_0001.HEIC', type = '') =>
  new File(['ftypheic'], name, { type, lastModified: name.length });

const server = setupServer();
/** The files that reached the image host. */
const sent: File[] = [];
const toastTexts: string[] = [];
let letGo = () => {};
/** Presses Undo on the last toast that has it. */
let undo = () => {};

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  sent.length = 0;
  toastTexts.length = 0;
  letGo = registerToaster(({ title, text, action }) => {
    toastTexts.push(title ?? text);
    if (action?.label === 'Undo') undo = action.onPress;
  });
  signIn(aSeller(), 'token');
  for (const [name, value] of Object.entries(canvas))
    Object.defineProperty(HTMLCanvasElement.prototype, name, { value, configurable: true });
  vi.stubGlobal('ImageBitmap', Bitmap);
  server.use(
    http.get('*/v1/settings', () =>
      HttpResponse.json({
        imageUpload: { url: 'http://images.localhost/upload', uploadPreset: 'oja' },
      }),
    ),
    http.post('http://images.localhost/upload', async ({ request }) => {
      const file = (await request.formData()).get('file');
      if (file instanceof File) sent.push(file);
      return HttpResponse.json({ secure_url: `http://images.localhost/${sent.length}.jpg` });
    }),
  );
});
afterEach(() => {
  letGo();
  clearDraft('s7');
  signOut();
  server.resetHandlers();
  for (const name of Object.keys(canvas))
    Object.defineProperty(HTMLCanvasElement.prototype, name, own[name] ?? { value: undefined });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const pick = (...files: File[]) =>
  act(async () => {
    fireEvent.change(screen.getByLabelText(/Add picture/), { target: { files } });
  });
const pickPngs = (...names: string[]) =>
  pick(...names.map((name) => new File([name], name, { type: 'image/png', lastModified: 1 })));
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
/** The first letters of the pictures' names. */
const order = () =>
  draftAlbum('s7')
    .now()
    .map(({ mark }) => mark[0]);
const open = () => renderAt('/upload-product', [{ path: pagePaths.upload, element: <Upload /> }]);

describe('a HEIC photo', () => {
  it('is sent as JPEG by a browser that opens it, within the longest edge', async () => {
    const opened: Bitmap[] = [];
    vi.stubGlobal('createImageBitmap', async () => {
      const bitmap = new Bitmap();
      opened.push(bitmap);
      return bitmap;
    });
    open();
    await pick(heic(), heic('second', 'image/heif'));
    await screen.findByText('Remove picture 2');
    await sendPictures(draftAlbum('s7'), () => {});
    expect(sent.map(({ type }) => type)).toEqual(['image/jpeg', 'image/jpeg']);
    expect(opened).toHaveLength(2);
    for (const bitmap of opened) {
      expect(context.drawImage).toHaveBeenCalledWith(bitmap, 0, 0, 1_600, 1_200);
      expect(bitmap.close).toHaveBeenCalledOnce();
    }
    expect(toastTexts).toEqual([]);
  });

  it.each([
    ['is sent as JPEG by a browser that shows it and makes no bitmap of it', true],
    ['is not taken by a browser that cannot show it: the seller is told what to do', false],
  ])('%s', async (_, shown) => {
    const refuse = () => Promise.reject(new DOMException('no', 'EncodingError'));
    vi.stubGlobal('createImageBitmap', refuse);
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode');
    decode.mockImplementation(shown ? async () => {} : refuse);
    const photo = heic();
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) =>
      file === photo ? 'blob:photo' : 'blob:preview',
    );
    const dropped = vi.spyOn(URL, 'revokeObjectURL');
    open();
    await pick(photo);
    if (shown) {
      await screen.findByText('Remove picture 1');
      await sendPictures(draftAlbum('s7'), () => {});
    }
    await waitFor(() => expect(decode).toHaveBeenCalledOnce());
    expect(draftAlbum('s7').now()).toHaveLength(shown ? 1 : 0);
    expect(sent.map(({ type }) => type)).toEqual(shown ? ['image/jpeg'] : []);
    await waitFor(() => expect(toastTexts).toEqual(shown ? [] : ['IMG_0001.HEIC is a HEIC photo']));
    // A photo may have 15 MB: its URL must be revoked, so that the browser frees the file.
    expect(dropped).toHaveBeenCalledWith('blob:photo');
  });
});

describe('pictures that this browser opens', () => {
  beforeEach(() => vi.stubGlobal('createImageBitmap', async () => new Bitmap()));

  it('stand in the seller’s order: the first is the title picture, and the focus goes with what is moved', async () => {
    const { container } = open();
    const regions = [...container.querySelectorAll('[aria-live]')];
    await pickPngs('a', 'b');
    await screen.findByText('Remove picture 2');
    // Those who do not see the previews hear that the files were taken.
    const count = await screen.findByText('2 of 6 pictures chosen.');
    expect(regions.some((region) => region.contains(count))).toBe(true);
    expect(order()).toEqual(['a', 'b']);
    press('Move picture 2 forward');
    expect(order()).toEqual(['b', 'a']);
    expect(screen.getByText('Picture 2 is picture 1 now, the title picture.')).toBeTruthy();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move picture 1 forward');
    press('Move picture 1 forward');
    expect(order()).toEqual(['b', 'a']);
    press('Move picture 1 back');
    expect(order()).toEqual(['a', 'b']);
    await expectAccessible(container);
  });

  it('leave the focus to what comes into the place of a removed one', async () => {
    open();
    await pickPngs('a', 'b');
    for (const left of ['Remove picture 1', 'Add picture']) {
      const remove = await screen.findByRole('button', { name: /^Remove picture 1/ });
      remove.focus();
      fireEvent.click(remove);
      await waitFor(() => {
        const { activeElement } = document;
        expect((activeElement?.closest('label') ?? activeElement)?.textContent).toContain(left);
      });
    }
  });

  it('stay when one is put back that has no room any more', async () => {
    open();
    await pickPngs('a', 'b', 'c', 'd', 'e', 'f');
    fireEvent.click(await screen.findByText('Remove picture 1'));
    await pickPngs('g');
    await screen.findByText('Remove picture 6');
    undo();
    await waitFor(() => expect(toastTexts.at(-1)).toBe('Maximus number of file is 6.'));
    expect(order()).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('are six at most, each once and as picked, although they were picked while others were still coming', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    vi.stubGlobal('createImageBitmap', () => held.then(() => new Bitmap()));
    open();
    await pickPngs('a', 'b', 'c', 'd');
    await pickPngs('d', 'e', 'f', 'g');
    goOn();
    await screen.findByText('Remove picture 6');
    expect(order()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(document.querySelectorAll('ul > li')).toHaveLength(6);
  });

  it('have the focus once there are six, because the field for more is gone', async () => {
    open();
    (await screen.findByLabelText(/Add picture/)).focus();
    await pickPngs('a', 'b', 'c', 'd', 'e', 'f');
    await screen.findByText('Remove picture 6');
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: /Remove picture 6/ })),
    );
  });
});
