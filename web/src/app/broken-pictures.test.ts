import { expect, it, vi } from 'vitest';
import { mendPictures } from './start-page.js';

mendPictures(document, window);

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
