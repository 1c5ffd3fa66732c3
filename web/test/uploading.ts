import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { signIn, signOut } from '../src/stores/session.js';
import { registerToaster } from '../src/ui/toast.js';
import { anOwnProduct } from './products.js';
import { aSeller } from './sellers.js';

/** Name of a file, or of what else a test holds back → when it is released. */
export const heldBack = new Map<string, Promise<void>>();

/** Stands for the browser's scaling down, which happy-dom lacks. A test mocks it in its own file. */
export async function shrinkOnceReleased(file: File): Promise<File | undefined> {
  await heldBack.get(file.name);
  return file.name.startsWith('unreadable') ? undefined : file;
}

/** Holds this name back; returns a function that releases it. */
export function hold(name: string): () => void {
  let goOn = () => {};
  heldBack.set(
    name,
    new Promise<void>((resolve) => {
      goOn = resolve;
    }),
  );
  return goOn;
}

export const press = (name: string | RegExp) =>
  fireEvent.click(screen.getByRole('button', { name }));
export const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const pick = (...names: string[]) =>
  act(async () => {
    const files = names.map((name) => new File([name], name, { type: 'image/png' }));
    fireEvent.change(screen.getByLabelText(/Add picture/), { target: { files } });
  });

/** For the tests of a file: a signed-in seller, a host that takes pictures, and the toasts that were shown. */
export function setUpUploads() {
  const server = setupServer();
  const seen = {
    toastTexts: [] as string[],
    /** How many pictures the host was sent. */
    pictures: 0,
    /** Presses Undo on the last toast that has it. */
    undo: () => {},
  };
  let unregister = () => {};
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  beforeEach(() => {
    seen.toastTexts.length = 0;
    seen.pictures = 0;
    unregister = registerToaster(({ title, text, action }) => {
      seen.toastTexts.push(title === undefined ? text : `${title}: ${text}`);
      if (action !== undefined) seen.undo = action.onPress;
    });
    signIn(aSeller(), 'token');
    server.use(
      http.get('*/v1/settings', () =>
        HttpResponse.json({
          imageUpload: { url: 'http://images.localhost/upload', uploadPreset: 'oja' },
        }),
      ),
      http.post('http://images.localhost/upload', () => {
        seen.pictures += 1;
        return HttpResponse.json({ secure_url: `http://images.localhost/${seen.pictures}.jpg` });
      }),
    );
  });
  afterEach(() => {
    cleanup();
    heldBack.clear();
    unregister();
    sessionStorage.clear();
    signOut();
    server.resetHandlers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  afterAll(() => server.close());
  return { server, seen, toastTexts: seen.toastTexts };
}

/** The page on which the tests below change a product. */
export const updateAddress = '/single-product/3/p1/update';

/** The same for the tests of updates: the seller's product 'p1' is there too. */
export function setUpUpdates() {
  const uploads = setUpUploads();
  beforeEach(() =>
    uploads.server.use(
      http.get('*/v1/product/p1', () =>
        HttpResponse.json({ success: true, subcategoryID: 3, result: anOwnProduct() }),
      ),
    ),
  );
  return uploads;
}

/** Fills in the form of a new product, with two pictures. */
export async function fillUpload(): Promise<void> {
  press(/^Category/);
  press('Fashion');
  press('Watches');
  press(/^State and Local Govt/);
  press('Lagos');
  press('Apapa');
  type(/^Product name/, 'Field watch');
  type(/^Description/, 'Keeps time.');
  type(/^Your price/, '20000');
  await pick('a.png', 'b.png');
  await screen.findByText('Remove picture 2');
}
