/**
 * The one script that a rendered page asks for by itself. It notes what is pressed from the moment it has come, and
 * fetches the app once the page has been painted: until then network and processor belong to what people look at. The
 * server writes what there is to fetch beside it.
 */
const own = document.querySelector<HTMLScriptElement>('script[data-entry]');

/** What is pressed before the app is there to answer, as it stood then. Links and forms with an address go by themselves. */
const pressed = new Map<HTMLElement, string | null>();

function note(target: EventTarget | null): void {
  const button = target instanceof Element && target.closest('button[type="button"]');
  if (button instanceof HTMLElement && !pressed.has(button))
    pressed.set(button, button.getAttribute('aria-pressed'));
}
const noteClick = ({ target }: Event) => note(target);

/**
 * The app has taken the page over: each button is pressed once, however often it was in impatience. One that shows by
 * now that it was pressed on an earlier visit is as its presser wants it.
 */
function pressAgain(): void {
  removeEventListener('click', noteClick, true);
  for (const [button, before] of pressed)
    if (button.isConnected && button.getAttribute('aria-pressed') === before) button.click();
}

function begin(): void {
  for (const href of own?.dataset.ahead?.split(' ') ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href, crossOrigin: '' });
    document.head.append(link);
  }
  void import(/* @vite-ignore */ own?.dataset.entry ?? '');
}

// What has the focus without having been tabbed to was pressed before even this script had come.
if (document.activeElement?.matches(':not(:focus-visible)')) note(document.activeElement);
addEventListener('click', noteClick, true);
// What this browser keeps is drawn in the same turn.
addEventListener('oja:alive', () => setTimeout(pressAgain), { once: true });

function afterPaint(): void {
  // A tab in the background is not painted.
  if (document.hidden) begin();
  else requestAnimationFrame(() => setTimeout(begin));
}
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', afterPaint);
else afterPaint();

export {};
