import { existsSync } from 'node:fs';
import { npm, run } from './run.mjs';

const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

async function ofPlaywright() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return existsSync(path) ? path : null;
}

/**
 * The Chromium for the browser tests: one that is here, else Playwright's own, else Debian's where we
 * are root; null where none can be had.
 */
export async function findChromium() {
  const here = [process.env.CHROMIUM, ...KNOWN].find((path) => path && existsSync(path));
  if (here) return here;
  const installed = await ofPlaywright();
  if (installed) return installed;
  console.log('Getting Chromium …');
  if (await npm(['exec', '--', 'playwright', 'install', 'chromium'])) return ofPlaywright();
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update', '-qq']);
    if (await run('apt-get', ['install', '-y', '-qq', 'chromium'])) return KNOWN[0];
  }
  return null;
}
