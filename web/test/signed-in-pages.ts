import { cleanup } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { signOut } from '../src/stores/session.js';
import { registerToaster, type ToastRequest } from '../src/ui/toast.js';

/** What the app asks for after a 401 or 403, before it tries again. */
export const freshToken = http.get('*/v1/refresh-token', () =>
  HttpResponse.json({ success: true, accessToken: 'token' }),
);

/**
 * For the tests of pages that somebody signed in sees: a server, the toasts that were shown and their texts, and an end
 * after each test that leaves nobody signed in. The caller signs in, and adds what the server answers.
 */
export function setUpSignedInPages() {
  const server = setupServer();
  const toastTexts: string[] = [];
  const toasts: ToastRequest[] = [];
  let unregister = () => {};
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  beforeEach(() => {
    toastTexts.length = 0;
    toasts.length = 0;
    unregister = registerToaster((toast) => {
      toastTexts.push(toast.text);
      toasts.push(toast);
    });
  });
  afterEach(() => {
    cleanup();
    unregister();
    signOut();
    server.resetHandlers();
    vi.restoreAllMocks();
  });
  afterAll(() => server.close());
  return { server, toastTexts, toasts };
}
