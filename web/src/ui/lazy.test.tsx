import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { expectErrors } from '../../test/console.js';
import { renderPart } from '../../test/render.js';
import { AfterPaint, lazyOptional } from './lazy.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const Part = ({ word }: { readonly word: string }) => <p>{word}</p>;

it('a part comes after the page is shown', async () => {
  const Later = lazyOptional(async () => ({ default: Part }));
  renderPart(
    <>
      <h1>Goods</h1>
      <AfterPaint>
        <Later word="seen before" />
      </AfterPaint>
    </>,
  );
  expect(screen.queryByText('seen before')).toBeNull();
  expect(await screen.findByText('seen before')).toBeTruthy();
});

it('a part whose code does not load leaves the page as it is, and comes once it loads', async () => {
  expectErrors(/Failed to fetch dynamically imported module: \/a/);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const gone = new TypeError('Failed to fetch dynamically imported module: /a');
  const load = vi
    .fn(async () => ({ default: Part }))
    .mockRejectedValueOnce(gone)
    .mockRejectedValueOnce(gone);
  const Later = lazyOptional(load);
  renderPart(
    <>
      <h1>Goods</h1>
      <AfterPaint>
        <Later word="seen before" />
      </AfterPaint>
    </>,
  );
  await waitFor(() => expect(console.error).toHaveBeenCalledWith(gone));
  expect(screen.getByRole('heading', { name: 'Goods' })).toBeTruthy();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await screen.findByText('seen before')).toBeTruthy();
});
