import { existsSync } from 'node:fs';
import { npm, run } from './run.mjs';

const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Debian's Chromium without windows: it takes a fifth less of a core for the same page. */
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
 * The Chromium for the browser tests: the one that is named, one that is here, else Playwright's own, else Debian's where
 * we are root.
 *
 * @returns what `playwright.config.ts` is told of it by the environment, nothing for Playwright's own; null where none can be had
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
      // Not every release has it, and there is no need of it.
      await run('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell']);
      return ofDebian(KNOWN[0]);
    }
  }
  return null;
}

/** Where that Chromium is, the whole one; null where none can be had. */
export async function chromiumPath() {
  const found = await findChromium();
  return found && (found.CHROMIUM ?? (await ownPath()));
}
