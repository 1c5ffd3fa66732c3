import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../test/axe.js';
import { renderPart } from '../../test/render.js';
import { Gallery } from './Gallery.js';
import { INITIAL_VIEW, moveView, pinchView, zoomView } from './Zoom.js';

const box = { width: 400, height: 200 };

describe('a picture in its box', () => {
  it('keeps what is under the finger where it is', () => {
    const at = { x: 100, y: -50 };
    const view = zoomView(INITIAL_VIEW, 2, at, box);
    expect(view).toEqual({ scale: 2, x: -100, y: 50 });
    expect(zoomView(view, 0.5, at, box)).toEqual(INITIAL_VIEW);
  });

  it('is between as large as it fits and four times that', () => {
    expect(zoomView(INITIAL_VIEW, 0.1, { x: 0, y: 0 }, box).scale).toBe(1);
    expect(zoomView(INITIAL_VIEW, 100, { x: 0, y: 0 }, box).scale).toBe(4);
  });

  it('never leaves a side of the box bare', () => {
    const view = { scale: 2, x: 0, y: 0 };
    expect(moveView(view, { x: 999, y: -999 }, box)).toEqual({ scale: 2, x: 200, y: -100 });
    expect(moveView(INITIAL_VIEW, { x: 999, y: 999 }, box)).toEqual(INITIAL_VIEW);
  });

  it('grows and goes with two fingers', () => {
    const before = [
      { x: -50, y: 0 },
      { x: 50, y: 0 },
    ] as const;
    const after = [
      { x: -80, y: 20 },
      { x: 120, y: 20 },
    ] as const;
    expect(pinchView(INITIAL_VIEW, before, after, box)).toEqual({ scale: 2, x: 20, y: 20 });
  });
});

describe('a product’s pictures, enlarged', () => {
  const dialog = () => screen.findByRole('dialog', { name: 'Watch' });
  const opener = () => screen.getByRole('button', { name: 'Enlarge the picture' });
  const status = async () => within(await dialog()).getByRole('status').textContent;
  const stage = async () => {
    const found = (await dialog()).querySelector('.Zoom-stage');
    if (found === null) throw new Error('there is no stage');
    return found;
  };
  const key = (name: string) =>
    act(() => fireEvent.keyDown(document.activeElement ?? document, { key: name }));
  /** Moves one finger from one point to another. */
  const finger = async (
    from: readonly [number, number],
    to: readonly [number, number],
    pointerId = 1,
  ) => {
    const on = await stage();
    fireEvent.pointerDown(on, { pointerId, button: 0, clientX: from[0], clientY: from[1] });
    fireEvent.pointerMove(on, { pointerId, clientX: to[0], clientY: to[1] });
    fireEvent.pointerUp(on, { pointerId, clientX: to[0], clientY: to[1] });
  };

  beforeEach(async () => {
    Element.prototype.setPointerCapture = vi.fn();
    renderPart(
      <Gallery urls={['http://h/v1/image/a.webp', 'http://h/v1/image/b.webp']} name="Watch" />,
    );
    opener().focus();
    fireEvent.click(opener());
    const box = (await stage()) as HTMLElement;
    vi.spyOn(box, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 200));
  });

  it('fit at first, and come whole', async () => {
    expect(await status()).toBe('Picture 1/2, 100 %');
    const whole = within(await dialog()).getByRole('img', { name: 'Watch, 1 of 2' });
    expect(whole.getAttribute('src')).toBe('http://h/v1/image/a.webp');
    await expectAccessible(document.body);
  });

  it('grow and shrink by buttons and keys', async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Larger' }));
    expect(await status()).toBe('Picture 1/2, 150 %');
    await key('+');
    expect(await status()).toBe('Picture 1/2, 225 %');
    await key('-');
    await key('-');
    expect(await status()).toBe('Picture 1/2, 100 %');
  });

  it('turn by keys while they fit, else move, and fit again when turned', async () => {
    await key('ArrowRight');
    expect(await status()).toBe('Picture 2/2, 100 %');
    await key('+');
    await key('ArrowRight');
    expect(await status()).toBe('Picture 2/2, 150 %');
    const moving = (await stage()).firstElementChild;
    expect(moving?.getAttribute('style')).toContain('translate(-80px, 0px)');
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Previous picture' }));
    expect(await status()).toBe('Picture 1/2, 100 %');
  });

  it('turn by a swipe, and do not by one along the page', async () => {
    await finger([300, 100], [100, 110]);
    expect(await status()).toBe('Picture 2/2, 100 %');
    await finger([200, 20], [150, 180]);
    expect(await status()).toBe('Picture 2/2, 100 %');
    await finger([100, 100], [300, 100]);
    expect(await status()).toBe('Picture 1/2, 100 %');
  });

  it('grow by two taps and by the wheel', async () => {
    await finger([200, 100], [200, 100]);
    expect(await status()).toBe('Picture 1/2, 100 %');
    await finger([200, 100], [200, 100]);
    expect(await status()).toBe('Picture 1/2, 250 %');
    await finger([200, 100], [200, 100]);
    await finger([200, 100], [200, 100]);
    expect(await status()).toBe('Picture 1/2, 100 %');
    fireEvent.wheel(await stage(), { deltaY: -300, clientX: 200, clientY: 100 });
    expect(await status()).toBe('Picture 1/2, 200 %');
  });

  it('grow between two fingers', async () => {
    const on = await stage();
    const put = (type: 'pointerDown' | 'pointerMove', pointerId: number, clientX: number) =>
      fireEvent[type](on, { pointerId, button: 0, clientX, clientY: 100 });
    put('pointerDown', 1, 150);
    put('pointerDown', 2, 250);
    put('pointerMove', 1, 100);
    put('pointerMove', 2, 300);
    expect(await status()).toBe('Picture 1/2, 200 %');
  });

  it('close by Escape, and the focus goes back', async () => {
    fireEvent(await dialog(), new Event('cancel', { cancelable: true }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(opener());
  });
});
