import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToastBody } from './Toaster.js';
import { registerToaster, type ToastRequest, toast } from './toast.js';

describe('what is said', () => {
  it('before the toaster has loaded waits for it', () => {
    const heard: ToastRequest[] = [];
    toast.error('Product not delivered!!!!', { title: 'Failed', duration: 3_000 });
    const letGo = registerToaster((request) => heard.push(request));
    toast.success('logged out!');
    letGo();
    expect(heard.map(({ kind, text }) => [kind, text])).toEqual([
      ['err', 'Product not delivered!!!!'],
      ['ok', 'logged out!'],
    ]);
  });
});

describe('a toast', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const shown = (props: Partial<ToastRequest> = {}) => {
    const onEnd = vi.fn();
    const onFocusLost = vi.fn();
    const ends = { onEnd, onFocusLost };
    render(<ToastBody kind="info" text="Removed from your cart." {...ends} {...props} />);
    return ends;
  };
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

  it('goes after 5 s', () => {
    const { onEnd } = shown();
    pass(4_999);
    expect(onEnd).not.toHaveBeenCalled();
    pass(1);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('stays while it is focused, and then has the time it had left', () => {
    const { onEnd } = shown({ duration: 3_000, action: { label: 'Undo', onPress: () => {} } });
    const undo = screen.getByRole('button', { name: 'Undo' });
    pass(2_000);
    act(() => undo.focus());
    pass(60_000);
    expect(onEnd).not.toHaveBeenCalled();
    act(() => undo.blur());
    pass(999);
    expect(onEnd).not.toHaveBeenCalled();
    pass(1);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('waits for whoever is on the way to its button by the keyboard', () => {
    const { onEnd } = shown({ duration: 3_000, action: { label: 'Undo', onPress: () => {} } });
    for (let tab = 0; tab < 20; tab += 1) {
      pass(2_000);
      fireEvent.keyDown(document.body, { key: 'Tab' });
    }
    expect(onEnd).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: 'a' });
    pass(3_000);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('waits for nobody where there is nothing to press', () => {
    const { onEnd } = shown({ duration: 3_000 });
    pass(2_000);
    fireEvent.keyDown(document.body, { key: 'Tab' });
    pass(1_000);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('undoes once and goes', () => {
    const onPress = vi.fn();
    const { onEnd } = shown({ action: { label: 'Undo', onPress } });
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(onPress).toHaveBeenCalledOnce();
    expect(onEnd).toHaveBeenCalledOnce();
  });
});
