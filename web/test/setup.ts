import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { checkConsole, watchConsole } from './console.js';

/** Errors name only what was looked for; a dump of the whole page would hide that. */
configure({ getElementError: (message) => new Error(message?.split('\n')[0]) });
/** In milliseconds: on a busy machine a lazy part of the app takes a while to load. */
configure({ asyncUtilTimeout: 10_000 });

beforeEach(watchConsole);
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  checkConsole();
});
