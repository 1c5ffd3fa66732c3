import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { useOptimisticValue } from './use-value.js';

/** Makes the change arrive; set by the component, called by the test. */
let arrive = () => {};

function Far() {
  const [value, setValue] = useState('');
  const [shown, change] = useOptimisticValue(
    value,
    (next: string) =>
      new Promise<void>((resolve) => {
        arrive = () => {
          setValue(next);
          resolve();
        };
      }),
  );
  return (
    <>
      <input aria-label="words" value={shown} onChange={(event) => change(event.target.value)} />
      <output>{value}</output>
    </>
  );
}

test('what was typed stays in the field until it has arrived, and then as well', async () => {
  render(<Far />);
  const field = screen.getByRole<HTMLInputElement>('textbox');
  fireEvent.change(field, { target: { value: 'b' } });
  expect(field.value).toBe('b');
  fireEvent.change(field, { target: { value: 'ba' } });
  expect(field.value).toBe('ba');
  expect(screen.getByRole('status').textContent).toBe('');
  arrive();
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('ba'));
  expect(field.value).toBe('ba');
});
