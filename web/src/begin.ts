/**
 * The only script that a rendered page loads by itself. It records presses from the moment it runs, and loads
 * the app after the page was painted: until then network and processor belong to the visible page. The server
 * writes the files to load into its tag.
 */
import { ONCE_WITHIN_MS, RELOADED, SOMETHING } from './reloading.js';

const own = document.querySelector<HTMLScriptElement>('script[data-entry]');

const BUTTONS = 'button[type="button"]';

/**
 * Buttons pressed before the app runs → their state then, and their place among those of the same name. Links and
 * forms need no app.
 */
const pressed = new Map<HTMLElement, readonly [string, number]>();

const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent;

/** What tells whether a button that changes something has done so: its name, or `aria-pressed`. */
const stateOf = (button: Element) => `${nameOf(button)} ${button.getAttribute('aria-pressed')}`;

/** The buttons of a name: all do the same, such as those of a product in the carousel and in the list. */
const alike = (button: Element) =>
  [...document.querySelectorAll<HTMLElement>(BUTTONS)].filter(
    (one) => nameOf(one) === nameOf(button),
  );

function note(target: EventTarget | null): void {
  const button = target instanceof Element && target.closest(BUTTONS);
  if (button instanceof HTMLElement && !pressed.has(button))
    pressed.set(button, [stateOf(button), alike(button).indexOf(button)]);
}
const noteClick = ({ target }: Event) => note(target);

/**
 * Runs once the app has hydrated the page: clicks each recorded button once, however often it was pressed. If
 * the app made the page anew instead, the button of the same name in the same place stands for it. A button
 * whose state has changed meanwhile (the product was saved on an earlier visit) already shows what the press
 * asked for, and is skipped.
 */
function pressAgain(): void {
  removeEventListener('click', noteClick, true);
  for (const [button, [before, place]] of pressed) {
    const now = button.isConnected ? button : alike(button)[place];
    if (now && stateOf(now) === before) now.click();
  }
}

/** How long to wait for a market that did not answer although the device has a network. In ms. */
const PAUSE_MS = 5_000;

/** Shows the line of index.html that the page is not complete, and its link, at once. */
const tellDead = () => document.documentElement.setAttribute('data-dead', '');

/**
 * Loads the page again: browsers remember that a module failed and do not ask for it a second time. Waits until
 * the market answers, as the page can be read meanwhile. Only once, so that an app that never runs ends in no
 * loop. Without storage a loop could not be detected, and the page stays.
 */
async function loadAgain(): Promise<void> {
  const answer = await fetch(SOMETHING, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) {
    tellDead();
    if (navigator.onLine) setTimeout(loadAgain, PAUSE_MS);
    else addEventListener('online', loadAgain, { once: true });
    return;
  }
  try {
    const now = Date.now();
    if (now - Number(sessionStorage.getItem(RELOADED)) < ONCE_WITHIN_MS) return tellDead();
    sessionStorage.setItem(RELOADED, `${now}`);
    location.reload();
  } catch {
    tellDead();
  }
}

function begin(): void {
  for (const href of own?.dataset.ahead?.split(' ') ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href, crossOrigin: '' });
    document.head.append(link);
  }
  import(/* @vite-ignore */ own?.dataset.entry ?? '').catch((error) => {
    console.error(error);
    return loadAgain();
  });
}

// A focused element that was not reached by keyboard was pressed before this script ran.
if (document.activeElement?.matches(':not(:focus-visible)')) note(document.activeElement);
addEventListener('click', noteClick, true);
// Delayed by a timeout: React first renders the state kept in this browser, in the turn of the event.
addEventListener('oja:alive', () => setTimeout(pressAgain), { once: true });

function afterPaint(): void {
  // Background tabs are never painted.
  if (document.hidden) begin();
  else requestAnimationFrame(() => setTimeout(begin));
}
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', afterPaint);
else afterPaint();
