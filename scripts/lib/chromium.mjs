import { existsSync } from 'node:fs';
import { npm, run } from './run.mjs';

const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Debian's Chromium without windows: it uses a fifth less CPU for the same page. */
const SHELL = '/usr/bin/chromium-headless-shell';

async function ownPath() {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

const hasOwn = async () => existsSync(await ownPath());

const ofDebian = (chromium) => ({
  CHROMIUM: chromium,
  ...(existsSync(SHELL) ? { CHROMIUM_SHELL: SHELL } : {}),
});

/**
 * Finds the Chromium for the browser tests: the one that CHROMIUM names, one that is installed,
 * Playwright's own (downloaded when missing), or Debian's (installed when running as root).
 *
 * @returns environment variables for `playwright.config.ts`, none for Playwright's own; null when there is no Chromium
 */
export async function findChromium() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (existsSync(named)) return { CHROMIUM: named };
    console.error(`CHROMIUM is ${named}, where there is nothing.`);
    return null;
  }
  const here = KNOWN.find(existsSync);
  if (here) return ofDebian(here);
  if (await hasOwn()) return {};
  console.log('Getting Chromium …');
  if ((await npm(['exec', '--', 'playwright', 'install', 'chromium'])) && (await hasOwn()))
    return {};
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update', '-qq']);
    if (await run('apt-get', ['install', '-y', '-qq', 'chromium'])) {
      // Optional: not every Debian release has this package.
      await run('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell']);
      return ofDebian(KNOWN[0]);
    }
  }
  return null;
}

/** Path of that Chromium as a full browser, not the headless shell; null when there is none. */
export async function chromiumPath() {
  const found = await findChromium();
  return found && (found.CHROMIUM ?? (await ownPath()));
}
