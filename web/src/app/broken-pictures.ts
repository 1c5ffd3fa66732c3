/**
 * Pictures that did not load leave their box plain instead of torn (see base.css), and are asked for once more when
 * the network is back. One listener for all: errors of pictures do not bubble, but they can be caught on the way down.
 */
export function mendPictures(page: Document, window: Window): void {
  const mark = (broken: boolean) => (event: Event) => {
    if (event.target instanceof HTMLImageElement)
      event.target.toggleAttribute('data-broken', broken);
  };
  page.addEventListener('error', mark(true), true);
  page.addEventListener('load', mark(false), true);
  window.addEventListener('online', () => {
    for (const picture of page.querySelectorAll('img[data-broken]'))
      picture.setAttribute('src', picture.getAttribute('src') ?? '');
  });
}
