/**
 * The one script that a rendered page asks for by itself. It fetches the app once the page has been painted: until
 * then network and processor belong to what people look at. The server writes what there is to fetch beside it.
 */
const own = document.querySelector<HTMLScriptElement>('script[data-entry]');

/** What is pressed before the app is there to answer. Links and forms with an address go by themselves. */
const pressed = new Set<HTMLElement>();

function note({ target }: Event): void {
  const button = target instanceof Element && target.closest('button[type="button"]');
  if (button instanceof HTMLElement) pressed.add(button);
}

/** The app has taken the page over: each button is pressed once, however often it was in impatience. */
function pressAgain(): void {
  removeEventListener('click', note, true);
  for (const button of pressed) if (button.isConnected) button.click();
}

function begin(): void {
  for (const href of own?.dataset.ahead?.split(' ') ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href, crossOrigin: '' });
    document.head.append(link);
  }
  void import(/* @vite-ignore */ own?.dataset.entry ?? '').then(pressAgain);
}

addEventListener('click', note, true);
// A tab in the background is not painted.
if (document.hidden) begin();
else requestAnimationFrame(() => setTimeout(begin));

export {};
