import { afterEach, expect, test, vi } from 'vitest';
import { registerServiceWorker } from './startup.js';

const register = vi.fn(() => Promise.resolve());

function pageThatIs(readyState: DocumentReadyState): void {
  vi.stubEnv('PROD', true);
  vi.stubGlobal('navigator', { serviceWorker: { register } });
  vi.spyOn(document, 'readyState', 'get').mockReturnValue(readyState);
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  register.mockClear();
});

test('leaves the network to the page until it is whole', () => {
  pageThatIs('interactive');
  registerServiceWorker();
  expect(register).not.toHaveBeenCalled();
  dispatchEvent(new Event('load'));
  dispatchEvent(new Event('load'));
  expect(register).toHaveBeenCalledExactlyOnceWith('/service-worker.js');
});

test('registers at once where the page was whole before its scripts came', () => {
  pageThatIs('complete');
  registerServiceWorker();
  expect(register).toHaveBeenCalledExactlyOnceWith('/service-worker.js');
});
