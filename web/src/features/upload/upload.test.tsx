import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import {
  fillUpload,
  pick,
  press,
  setUpUploads,
  shrinkOnceReleased,
  type,
} from '../../../test/uploading.js';
import { signIn } from '../../stores/session.js';
import { clearDraft } from './draft.js';
import { isRunning } from './progress.js';
import Upload from './UploadPage.js';

vi.mock('./picture-files.js', async (original) => ({
  ...(await original<typeof import('./picture-files.js')>()),
  shrink: shrinkOnceReleased,
}));

const { server, seen, toastTexts } = setUpUploads();
afterEach(() => clearDraft('s7'));

const pages = [{ path: pagePaths.upload, element: <Upload /> }];

describe('upload', () => {
  it('says what is missing, goes to the first wrong field, and breaks no rule of access', async () => {
    const { container } = renderAt('/upload-product', pages);
    press('Upload');
    expect(screen.getByText('Please select a subcategory!')).toBeTruthy();
    expect(screen.getByText('Please select a State and Local Govt!')).toBeTruthy();
    expect(screen.getByText('Please select a file.')).toBeTruthy();
    expect(screen.getAllByText('Please enter all asterisked (*) fields!')).toHaveLength(3);
    expect(toastTexts).toEqual(['you did not select any image before uploading...']);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Choose'));
    await expectAccessible(container);
  });

  it('shows what the seller receives and what shoppers pay', () => {
    renderAt('/upload-product', pages);
    type(/^Your price/, '21304');
    const figures = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(figures).toEqual(['₦21,304', '₦3,196', '₦24,500']);
  });

  it('takes a price with kobo for what it is, typed or pasted', () => {
    renderAt('/upload-product', pages);
    const price = screen.getByLabelText<HTMLInputElement>(/^Your price/);
    const key = (sign: string) => {
      const event = new InputEvent('input', { bubbles: true, inputType: 'insertText', data: sign });
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
      set?.call(price, price.value + sign);
      act(() => void price.dispatchEvent(event));
    };
    for (const sign of '1500.00') key(sign);
    expect(price.value).toBe('1,500.00');
    fireEvent.blur(price);
    expect(price.value).toBe('1,500');
    type(/^Your price/, '₦1.250,00');
    expect(price.value).toBe('1,250');
  });

  it('makes no other price of what is none, and says so once the field is left', () => {
    renderAt('/upload-product', pages);
    const price = screen.getByLabelText<HTMLInputElement>(/^Your price/);
    const problem = () => screen.queryByText(/^Type the price in figures/);
    for (const written of ['1e3', '-5', '1,500.50']) {
      type(/^Your price/, written);
      expect(price.value).toBe(written);
      fireEvent.blur(price);
      expect(price.value).toBe(written);
      expect(price.getAttribute('aria-invalid')).toBe('true');
      expect(problem()).not.toBeNull();
      expect(screen.getAllByRole('definition')[0]?.textContent).toBe('₦0');
    }
    type(/^Your price/, '1500');
    expect(price.value).toBe('1,500');
    expect(problem()).toBeNull();
  });

  it('takes the focus along from a category to its subcategories, and back to the field', () => {
    renderAt('/upload-product', pages);
    const field = screen.getByRole('button', { name: /^Category/ });
    field.focus();
    fireEvent.click(field);
    const fashion = screen.getByRole('button', { name: 'Fashion' });
    fashion.focus();
    fireEvent.click(fashion);
    expect(document.activeElement?.textContent).toBe('Bags');
    press('Bags');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Category/ }));
  });

  it('clears the inputs when the category is changed, and gives them back', async () => {
    renderAt('/upload-product', pages);
    await fillUpload();
    press(/^Category/);
    press('Fashion');
    press('Bags');
    expect(screen.getByLabelText(/^Product name/)).toHaveProperty('value', '');
    expect(screen.getByText('Remove picture 2')).toBeTruthy();
    expect(toastTexts).toEqual(['The inputs were cleared.']);
  });

  it('keeps a stock that is no number to be mended, says so beside it, and sends nothing', async () => {
    renderAt('/upload-product', pages);
    await fillUpload();
    type(/^How many do you have/, '1.5');
    press('Upload');
    await screen.findByText(/^Type a whole number/);
    const stock = screen.getByLabelText(/^How many do you have/);
    expect(stock).toHaveProperty('value', '1.5');
    expect(stock.getAttribute('aria-invalid')).toBe('true');
    await waitFor(() => expect(document.activeElement).toBe(stock));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('sends each picture and then the product once, however often it is pressed', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post('*/v1/add-product', async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ success: true, productId: 'p9' }, { status: 201 });
      }),
    );
    const { router } = renderAt('/upload-product', pages);
    await fillUpload();
    type(/^How many do you have/, ' 12');
    const upload = screen.getByRole('button', { name: 'Upload' });
    fireEvent.click(upload);
    fireEvent.click(upload);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(seen.pictures).toBe(2);
    expect(bodies).toEqual([
      {
        updatedInput: {
          prod_name: 'Field watch',
          description: 'Keeps time.',
          price: 23_000,
          subcategory_id: 3,
          subcategory_name: 'Watches',
          state: 'Lagos',
          local_govt: 'Apapa',
          stock: 12,
        },
        imageUrls: ['http://images.localhost/1.jpg', 'http://images.localhost/2.jpg'],
      },
    ]);
    expect(toastTexts).toEqual(['successfully uploaded your product!!!']);
  });

  it('keeps all when the post fails; the next try has the same key and sends no picture again', async () => {
    expectErrors(/^ApiError: Down$/);
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/v1/add-product', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length === 1
          ? HttpResponse.json({ success: false, message: 'Down' }, { status: 503 })
          : HttpResponse.json({ success: true, productId: 'p9' }, { status: 201 });
      }),
    );
    const first = renderAt('/upload-product', pages);
    await fillUpload();
    press('Upload');
    await waitFor(() =>
      expect(toastTexts).toEqual([
        'Down: Something went wrong. if this keeps showing please Contact Us',
      ]),
    );
    first.unmount();
    const { router } = renderAt('/upload-product', pages);
    expect(screen.getByLabelText(/^Product name/)).toHaveProperty('value', 'Field watch');
    press('Upload');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(seen.pictures).toBe(2);
    expect(new Set(keys).size).toBe(1);
  });

  it.each([
    ['updatedInput.prod_name', 'Product name'],
    ['updatedInput.cond', 'Condition'],
    ['local_govt', 'State and Local Govt'],
    ['imageUrls', 'Pictures'],
  ])('names a refused field as its form does: %s', async (field, label) => {
    expectErrors(/^ApiError: No$/);
    server.use(
      http.post('*/v1/add-product', () =>
        HttpResponse.json(
          { success: false, message: 'No', errors: { [field]: 'is not right' } },
          { status: 400 },
        ),
      ),
    );
    renderAt('/upload-product', pages);
    await fillUpload();
    press('Upload');
    await waitFor(() => expect(toastTexts[0]).toMatch(new RegExp(`^${label}: is not right`)));
  });

  it('goes on when the form is left, and the form that comes back starts no second one', async () => {
    let letGo = () => {};
    let posts = 0;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    server.use(
      http.post('*/v1/add-product', async () => {
        posts += 1;
        await held;
        return HttpResponse.json({ success: true, productId: 'p9' }, { status: 201 });
      }),
    );
    const first = renderAt('/upload-product', pages);
    await fillUpload();
    press('Upload');
    await waitFor(() => expect(posts).toBe(1));
    first.unmount();
    const { router } = renderAt('/upload-product', pages);
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    fireEvent.click(screen.getByRole('button', { name: 'Upload', hidden: true }));
    letGo();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(posts).toBe(1);
  });

  it('is never posted by somebody else who logged in on the way', async () => {
    expectErrors(/Log in again\./);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    server.use(
      http.post('http://images.localhost/upload', async () => {
        seen.pictures += 1;
        await held;
        return HttpResponse.json({ secure_url: `http://images.localhost/${seen.pictures}.jpg` });
      }),
    );
    const posted = vi.fn();
    server.events.on('request:start', ({ request }) => {
      if (request.url.includes('/v1/add-product')) posted();
    });
    renderAt('/upload-product', pages);
    await fillUpload();
    press('Upload');
    await waitFor(() => expect(seen.pictures).toBe(1));
    act(() => signIn(aSeller({ user_id: 's8' }), 'another'));
    letGo();
    await waitFor(() => expect(isRunning('s7')).toBe(false));
    expect(posted).not.toHaveBeenCalled();
    expect(toastTexts).toEqual([]);
  });

  describe('to a host that refuses a picture', () => {
    /** In ms. What lasts longer is the patience of a test, and no pause of the form. */
    const LONGEST_PAUSE = 5_000;
    /** Refuses the first picture in this way, once or always. @returns the pauses before it was sent again, in ms */
    const refuses = (answer: () => Response, always: boolean): number[] => {
      const pauses: number[] = [];
      const later = setTimeout;
      vi.spyOn(globalThis, 'setTimeout').mockImplementation((work, ms = 0) => {
        if (ms < 1_000 || ms > LONGEST_PAUSE) return later(work, ms);
        pauses.push(ms);
        return later(work, 0);
      });
      let refused = 0;
      server.use(
        http.post('http://images.localhost/upload', () => {
          if (refused > 0 && !always) return undefined;
          refused += 1;
          return answer();
        }),
        http.post('*/v1/add-product', () =>
          HttpResponse.json({ success: true, productId: 'p9' }, { status: 201 }),
        ),
      );
      return pauses;
    };
    const refusal = (status: number, headers: Record<string, string> = {}) =>
      HttpResponse.json({ error: { message: 'Not now' } }, { status, headers });

    it.each([
      ['as busy for a moment', () => refusal(429, { 'Retry-After': '5' }), 5_000],
      ['as too slow', () => refusal(408), 1_000],
      ['as one of too many at once, in Cloudinary’s own code', () => refusal(420), 1_000],
      ['as down', () => refusal(503), 1_000],
    ])('sends it again: %s', async (_, answer, pause) => {
      const pauses = refuses(answer, false);
      const { router } = renderAt('/upload-product', pages);
      await fillUpload();
      press('Upload');
      await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
      expect(pauses).toContain(pause);
      expect(toastTexts).toEqual(['successfully uploaded your product!!!']);
    });

    it.each([
      ['for an hour', () => refusal(429, { 'Retry-After': '3000' })],
      ['without saying for how long', () => refusal(429)],
      ['for good', () => refusal(400, { 'Retry-After': '5' })],
    ])('says so at once: %s', async (_, answer) => {
      expectErrors(/^ApiError: Not now$/);
      const asked = vi.fn(answer);
      refuses(asked, true);
      renderAt('/upload-product', pages);
      await fillUpload();
      press('Upload');
      await waitFor(() => expect(toastTexts[0]).toMatch(/^Not now: Something went wrong/));
      expect(asked).toHaveBeenCalledTimes(1);
    });
  });

  it('says of files that are too large or no pictures', async () => {
    renderAt('/upload-product', pages);
    const large = new File(['x'], 'large.png', { type: 'image/png' });
    Object.defineProperty(large, 'size', { value: 5 * 1024 * 1024 + 1 });
    const text = new File(['x'], 'x.txt', { type: 'text/plain' });
    await act(async () => {
      fireEvent.change(screen.getByLabelText(/Add picture/), { target: { files: [large, text] } });
    });
    await waitFor(() =>
      expect(toastTexts).toEqual([
        'Only images can be added.',
        'File too large: Maximum allowed size is 5 MB.',
      ]),
    );
    await pick('a.png');
    expect(await screen.findByText('Please select at least 2 images.')).toBeTruthy();
    await pick('b', 'c', 'd', 'e', 'f', 'g');
    expect(await screen.findByText('You can only upload up to 6 images.')).toBeTruthy();
  });
});
