import { expect, it, vi } from 'vitest';
import { retryBrokenImages } from './startup.js';

/** A picture of a rendered page that failed before any script ran. */
const early = document.body.appendChild(new Image());
early.src = '/early.webp';
/** One that came in time, and one that loads still. */
const [come, coming] = [1, 0].map((width) => {
  const picture = document.body.appendChild(new Image());
  Object.defineProperties(picture, {
    complete: { value: width > 0 },
    naturalWidth: { value: width },
  });
  return picture;
});
Object.defineProperties(early, { complete: { value: true }, naturalWidth: { value: 0 } });
retryBrokenImages(document, window);

it('marks what had failed before, and asks for it again when the network is back', () => {
  expect(early.hasAttribute('data-broken')).toBe(true);
  for (const other of [come, coming]) expect(other?.hasAttribute('data-broken')).toBe(false);
  const asked = vi.spyOn(early, 'setAttribute');
  window.dispatchEvent(new Event('online'));
  expect(asked.mock.calls).toEqual([['src', '/early.webp']]);
  early.remove();
});

it('leaves the box of a picture that did not load plain, until the picture comes', () => {
  const picture = document.body.appendChild(new Image());
  picture.dispatchEvent(new Event('error'));
  expect(picture.hasAttribute('data-broken')).toBe(true);
  picture.dispatchEvent(new Event('load'));
  expect(picture.hasAttribute('data-broken')).toBe(false);
});

it('asks once more for those alone when the network is back', () => {
  const [broken, whole] = [new Image(), new Image()];
  document.body.append(broken, whole);
  broken.src = '/broken.webp';
  whole.src = '/whole.webp';
  broken.dispatchEvent(new Event('error'));
  const asked = vi.spyOn(Element.prototype, 'setAttribute');
  window.dispatchEvent(new Event('online'));
  expect(asked.mock.contexts).toEqual([broken]);
  expect(asked.mock.calls).toEqual([['src', '/broken.webp']]);
});
