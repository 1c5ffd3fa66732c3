/**
 * The only script that a rendered page loads by itself. It records presses from the moment it runs, and loads
 * the app after the page was painted: until then network and processor belong to the visible page. The server
 * writes the files to load into its tag.
 */
import { PROBE_PATH, RELOAD_COOLDOWN_MS, RELOADED_AT_KEY } from './reloading.js';

const script = document.querySelector<HTMLScriptElement>('script[data-entry]');

const BUTTON_SELECTOR = 'button[type="button"]';

/** Links within the market. On a page that says that it is not complete they wait for nothing. */
const LINK_SELECTOR = 'html:not([data-dead]) a[href^="/"]:not([target])';

/**
 * What was pressed before the app runs: the name of a button, the address of a link → its place among those of the
 * same name, and its state then. It lies in the history entry too, and so outlives a reload.
 */
const pressed = new Map<string | null, readonly [number, string]>(history.state?.pressed);

const savePresses = () => history.replaceState({ ...history.state, pressed: [...pressed] }, '');

const nameOf = (one: Element) =>
  one.getAttribute('href') ?? one.getAttribute('aria-label') ?? one.textContent;

/**
 * What tells, beside its name, whether a button that changes something has done so: `aria-pressed`. A button in a
 * search box was pressed for the words that stood there.
 */
const stateOf = (one: Element) =>
  `${one.getAttribute('aria-pressed')} ${one.closest('form')?.query?.value}`;

/** The buttons of a name: all do the same, such as those of a product in the carousel and in the list. */
const elementsNamed = (name: string | null) =>
  [...document.querySelectorAll<HTMLElement>(`${BUTTON_SELECTOR}, ${LINK_SELECTOR}`)].filter(
    (one) => nameOf(one) === name,
  );

function recordPress(one: HTMLElement): void {
  const name = nameOf(one);
  pressed.set(name, [elementsNamed(name).indexOf(one), stateOf(one)]);
  savePresses();
}

/** How long a link waits for the app. In ms. */
const LINK_WAIT_MS = 5_000;

let linkTimer: ReturnType<typeof setTimeout> | undefined;

/** Follows a link although the app has not come, and gives up what was pressed before it. */
function followLink(address: string): void {
  pressed.clear();
  savePresses();
  location.assign(address);
}

/**
 * Notes presses of buttons. React, which listens before it has hydrated the page, must not hear them: they would
 * take effect twice. Links and forms need no app, but leave the page, and with it the buttons that were pressed:
 * after such a button a link waits for the app too.
 */
function recordClick(event: MouseEvent): void {
  const { target, altKey, ctrlKey, metaKey, shiftKey } = event;
  const isPlainClick = !(altKey || ctrlKey || metaKey || shiftKey);
  const selector =
    pressed.size > 0 && isPlainClick ? `${BUTTON_SELECTOR}, ${LINK_SELECTOR}` : BUTTON_SELECTOR;
  const one = target instanceof Element && target.closest<HTMLElement>(selector);
  if (!one) return;
  event.preventDefault();
  event.stopPropagation();
  recordPress(one);
  if (!(one instanceof HTMLAnchorElement)) return;
  clearTimeout(linkTimer);
  linkTimer = setTimeout(followLink, LINK_WAIT_MS, one.href);
}

/**
 * Runs once the app has hydrated the page: clicks each recorded button once, however often it was pressed. If
 * the app made the page anew instead, the button of the same name in the same place stands for it. A button
 * whose state has changed meanwhile (the product was saved on an earlier visit) already shows what the press
 * asked for, and is skipped.
 */
function replayPresses(): void {
  removeEventListener('click', recordClick, true);
  clearTimeout(linkTimer);
  if (pressed.size === 0) return;
  const presses = [...pressed];
  pressed.clear();
  savePresses();
  for (const [name, [place, before]] of presses) {
    const now = elementsNamed(name)[place];
    if (now && stateOf(now) === before) now.click();
  }
}

/** How long to wait for a market that did not answer although the device has a network. In ms. */
const RETRY_AFTER_MS = 5_000;

/** Shows the line of index.html that the page is not complete, and its link, at once. */
const markIncomplete = () => document.documentElement.setAttribute('data-dead', '');

/**
 * Loads the page again: browsers remember that a module failed and do not ask for it a second time. Waits until
 * the market answers, as the page can be read meanwhile. Only once, so that an app that never runs ends in no
 * loop. Without storage a loop could not be detected, and the page stays.
 */
async function reloadPage(): Promise<void> {
  const answer = await fetch(PROBE_PATH, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) {
    markIncomplete();
    if (navigator.onLine) setTimeout(reloadPage, RETRY_AFTER_MS);
    else addEventListener('online', reloadPage, { once: true });
    return;
  }
  try {
    const now = Date.now();
    if (now - Number(sessionStorage.getItem(RELOADED_AT_KEY)) < RELOAD_COOLDOWN_MS)
      return markIncomplete();
    sessionStorage.setItem(RELOADED_AT_KEY, `${now}`);
    location.reload();
  } catch {
    markIncomplete();
  }
}

function loadApp(): void {
  for (const href of script?.dataset.ahead?.split(' ') ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href, crossOrigin: '' });
    document.head.append(link);
  }
  import(/* @vite-ignore */ script?.dataset.entry ?? '').catch((error) => {
    console.error(error);
    return reloadPage();
  });
}

// A focused element that was not reached by keyboard was pressed before this script ran.
const focused = document.querySelector<HTMLElement>(`${BUTTON_SELECTOR}:focus:not(:focus-visible)`);
if (focused) recordPress(focused);
addEventListener('click', recordClick, true);
// Delayed by a timeout: React first renders the state kept in this browser, in the turn of the event.
addEventListener('oja:alive', () => setTimeout(replayPresses), { once: true });

function afterPaint(): void {
  // Background tabs are never painted.
  if (document.hidden) loadApp();
  else requestAnimationFrame(() => setTimeout(loadApp));
}
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', afterPaint);
else afterPaint();
