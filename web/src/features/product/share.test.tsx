import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { aProduct } from '../../../test/products.js';
import { renderPart } from '../../../test/render.js';
import { registerToaster, type ToastRequest } from '../../ui/toast.js';
import { Share } from './Share.js';

const watch = aProduct();
const ADDRESS = `${location.origin}/single-product/3/p1`;
const toasts: ToastRequest[] = [];
let silent = () => {};
beforeEach(() => {
  toasts.length = 0;
  silent = registerToaster((toast) => toasts.push(toast));
});
afterEach(() => {
  silent();
  vi.unstubAllGlobals();
});

/** A browser whose navigator has only these parts. */
const browserWith = (parts: object) =>
  vi.stubGlobal('navigator', { onLine: true, userAgent: '', ...parts });
const share = () => screen.getByRole('button', { name: 'Share this product' });

describe('a product is shared', () => {
  it('by the phone’s own menu where there is one', async () => {
    const shared = vi.fn(async () => {});
    browserWith({ share: shared });
    renderPart(<Share product={watch} />);
    fireEvent.click(share());
    expect(shared).toHaveBeenCalledWith({
      title: 'Field watch, olive strap',
      text: 'Field watch, olive strap, ₦31,050 on Oja:',
      url: ADDRESS,
    });
    expect(screen.queryByRole('list')).toBeNull();
  });

  it.each([
    ['AbortError', []],
    ['NotAllowedError', ['The link is copied.']],
  ])('and the phone’s menu ended with %s', async (name, words) => {
    const refused = Promise.reject(new DOMException('no', name));
    const written = vi.fn(async () => {});
    browserWith({ share: () => refused, clipboard: { writeText: written } });
    renderPart(<Share product={watch} />);
    fireEvent.click(share());
    await refused.catch(() => {});
    await waitFor(() => expect(toasts.map(({ text }) => text)).toEqual(words));
    expect(written).toHaveBeenCalledTimes(words.length);
  });

  it('as a link that is copied, with word of it and the focus back', async () => {
    const written = vi.fn(async () => {});
    browserWith({ clipboard: { writeText: written } });
    const { container } = renderPart(<Share product={watch} />);
    fireEvent.click(share());
    await expectAccessible(container);
    fireEvent.click(screen.getByRole('button', { name: 'Copy the link' }));
    await waitFor(() =>
      expect(toasts).toMatchObject([{ kind: 'ok', text: 'The link is copied.' }]),
    );
    expect(written).toHaveBeenCalledWith(ADDRESS);
    expect(screen.queryByRole('list')).toBeNull();
    expect(document.activeElement).toBe(share());
  });

  it('as a link to copy by hand where the browser refuses', async () => {
    browserWith({});
    renderPart(<Share product={watch} />);
    fireEvent.click(share());
    fireEvent.click(screen.getByRole('button', { name: 'Copy the link' }));
    await waitFor(() => expect(toasts).toMatchObject([{ kind: 'err', text: ADDRESS }]));
  });

  it('in WhatsApp, with its name, price and address', () => {
    browserWith({});
    renderPart(<Share product={watch} />);
    fireEvent.click(share());
    const link = screen.getByRole('link', { name: 'WhatsApp' });
    const to = new URL(link.getAttribute('href') ?? '');
    expect(to.origin).toBe('https://wa.me');
    expect(to.searchParams.get('text')).toBe(
      `Field watch, olive strap, ₦31,050 on Oja: ${ADDRESS}`,
    );
    expect(link.getAttribute('rel')).toBe('noreferrer');
  });
});
