/**
 * The only script that a rendered page loads by itself. It records presses from the moment it runs, and loads
 * the app after the page was painted: until then network and processor belong to the visible page. The server
 * writes the files to load into its tag.
 */
import { ONCE_WITHIN_MS, RELOADED, SOMETHING } from './reloading.js';

const own = document.querySelector<HTMLScriptElement>('script[data-entry]');

const BUTTONS = 'button[type="button"]';

/** Links within the market. On a page that says that it is not complete they wait for nothing. */
const LINKS = 'html:not([data-dead]) a[href^="/"]:not([target])';

/**
 * What was pressed before the app runs: the name of a button, the address of a link → its place among those of the
 * same name, and its state then. It lies in the history entry too, and so outlives a reload.
 */
const pressed = new Map<string | null, readonly [number, string]>(history.state?.pressed);

const keep = () => history.replaceState({ ...history.state, pressed: [...pressed] }, '');

const nameOf = (one: Element) =>
  one.getAttribute('href') ?? one.getAttribute('aria-label') ?? one.textContent;

/**
 * What tells, beside its name, whether a button that changes something has done so: `aria-pressed`. A button in a
 * search box was pressed for the words that stood there.
 */
const stateOf = (one: Element) =>
  `${one.getAttribute('aria-pressed')} ${one.closest('form')?.query?.value}`;

/** The buttons of a name: all do the same, such as those of a product in the carousel and in the list. */
const alike = (name: string | null) =>
  [...document.querySelectorAll<HTMLElement>(`${BUTTONS}, ${LINKS}`)].filter(
    (one) => nameOf(one) === name,
  );

function note(one: HTMLElement): void {
  const name = nameOf(one);
  pressed.set(name, [alike(name).indexOf(one), stateOf(one)]);
  keep();
}

/** How long a link waits for the app. In ms. */
const PATIENCE_MS = 5_000;

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Follows a link although the app has not come, and gives up what was pressed before it. */
function follow(address: string): void {
  pressed.clear();
  keep();
  location.assign(address);
}

/**
 * Notes presses of buttons. React, which listens before it has hydrated the page, must not hear them: they would
 * take effect twice. Links and forms need no app, but leave the page, and with it the buttons that were pressed:
 * after such a button a link waits for the app too.
 */
function noteClick(event: MouseEvent): void {
  const { target, altKey, ctrlKey, metaKey, shiftKey } = event;
  const leaves = !(altKey || ctrlKey || metaKey || shiftKey);
  const heard = pressed.size > 0 && leaves ? `${BUTTONS}, ${LINKS}` : BUTTONS;
  const one = target instanceof Element && target.closest<HTMLElement>(heard);
  if (!one) return;
  event.preventDefault();
  event.stopPropagation();
  note(one);
  if (!(one instanceof HTMLAnchorElement)) return;
  clearTimeout(waiting);
  waiting = setTimeout(follow, PATIENCE_MS, one.href);
}

/**
 * Runs once the app has hydrated the page: clicks each recorded button once, however often it was pressed. If
 * the app made the page anew instead, the button of the same name in the same place stands for it. A button
 * whose state has changed meanwhile (the product was saved on an earlier visit) already shows what the press
 * asked for, and is skipped.
 */
function pressAgain(): void {
  removeEventListener('click', noteClick, true);
  clearTimeout(waiting);
  if (pressed.size === 0) return;
  const presses = [...pressed];
  pressed.clear();
  keep();
  for (const [name, [place, before]] of presses) {
    const now = alike(name)[place];
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
const focused = document.querySelector<HTMLElement>(`${BUTTONS}:focus:not(:focus-visible)`);
if (focused) note(focused);
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
