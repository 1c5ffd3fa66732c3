import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

/** What was looked for is enough; the whole page in its place hides it. */
configure({ getElementError: (message) => new Error(message?.split('\n')[0]) });
/** In ms: a part of the app that is fetched when it is first shown takes its time on a busy machine. */
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
