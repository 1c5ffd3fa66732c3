import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

/** What was looked for is enough; the whole page in its place hides it. */
configure({ getElementError: (message) => new Error(message?.split('\n')[0]) });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
