import { afterEach, expect, it, vi } from 'vitest';
import { reloadForMissingChunk } from './startup.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('shows no error before the reload, although two chunks of a page are gone', async () => {
  vi.stubGlobal('fetch', async () => new Response());
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  const shown = vi.fn();
  void reloadForMissingChunk().then(shown);
  void reloadForMissingChunk().then(shown);
  await vi.waitFor(() => expect(reload).toHaveBeenCalled());
  // Everything that was answered has been looked at once the next task runs.
  await new Promise((resolve) => setTimeout(resolve));
  expect(reload).toHaveBeenCalledOnce();
  expect(shown).not.toHaveBeenCalled();
});
