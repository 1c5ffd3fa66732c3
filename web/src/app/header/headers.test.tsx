import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { aProduct } from '../../../test/products.js';
import { renderPart } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { addToCart } from '../../stores/cart.js';
import { changeAuthStorage, initialAuthStorage } from '../../stores/persistent-store.js';
import { signIn, signOut } from '../../stores/session.js';
import { SearchHeader } from './SearchHeader.js';
import { StickyHeader } from './StickyHeader.js';

const scrollBy = (px: number) =>
  act(() => {
    Object.defineProperty(window, 'scrollY', { value: px, configurable: true });
    dispatchEvent(new Event('scroll'));
  });

beforeEach(() => {
  signOut();
  changeAuthStorage(() => initialAuthStorage);
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
});

describe('the header', () => {
  it('sticks from 80 px, and lets go above', async () => {
    renderPart(<StickyHeader>bar</StickyHeader>);
    const top = document.querySelector('header');
    await scrollBy(79);
    expect(top?.hasAttribute('data-stuck')).toBe(false);
    await scrollBy(80);
    expect(top?.hasAttribute('data-stuck')).toBe(true);
    await scrollBy(79);
    expect(top?.hasAttribute('data-stuck')).toBe(false);
  });

  it('counts the cart, and rings only while a delivery is unconfirmed', async () => {
    const { container } = renderPart(<SearchHeader />);
    expect(screen.getByRole('link', { name: 'Cart, 0 items' })).toBeTruthy();
    await act(async () => void addToCart(aProduct()));
    expect(screen.getByRole('link', { name: 'Cart, 1 item' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Confirm your delivery' })).toBeNull();
    await act(async () => changeAuthStorage(() => ({ status: 'Pending' })));
    expect(screen.getByRole('link', { name: 'Confirm your delivery' }).getAttribute('href')).toBe(
      '/payment/verify/delivery-confirmation',
    );
    await expectAccessible(container);
  });

  it('tells those who do not see it how many items are in the cart now', async () => {
    renderPart(<SearchHeader />);
    // A region that comes with its text is not announced.
    const link = screen.getByRole('link', { name: 'Cart, 0 items' });
    const region = within(link).getByRole('status');
    // In browsers, the text of a region is no part of the link's name.
    expect(link.getAttribute('aria-label')).toBe('Cart, 0 items');
    await act(async () => void addToCart(aProduct()));
    expect(region.textContent).toBe('Cart, 1 item');
    await act(async () => void addToCart(aProduct({ product_id: 'p2' })));
    expect(region.textContent).toBe('Cart, 2 items');
  });

  it('offers a seller Profile, upload and Log out, and To Admin only to sub-admins', async () => {
    signIn(aSeller(), 'token');
    renderPart(<SearchHeader />);
    const options = screen.getByRole('button', { name: 'Coal City Footwear, options' });
    fireEvent.click(options);
    await screen.findByText('Profile');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Profile',
      'upload',
      'Log out',
    ]);
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(screen.queryByText('Profile')).toBeNull();
    expect(document.activeElement).toBe(options);
    await act(async () => signIn(aSeller({ is_subAdmin: 1 }), 'token'));
    fireEvent.click(options);
    expect(screen.getByRole('link', { name: 'To Admin' })).toBeTruthy();
    fireEvent.pointerDown(document.body);
    expect(screen.queryByText('Profile')).toBeNull();
  });

  it('offers the suspended neither upload nor To Admin, which would be refused', async () => {
    signIn(aSeller({ is_suspended: 1, is_subAdmin: 1 }), 'token');
    renderPart(<SearchHeader />);
    fireEvent.click(screen.getByRole('button', { name: 'Coal City Footwear, options' }));
    await screen.findByText('Profile');
    for (const name of ['upload', 'To Admin'])
      expect(screen.queryByRole('link', { name })).toBeNull();
  });
});
