import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../test/axe.js';
import { renderPart } from '../../test/render.js';
import { ConfirmButtons, Dialog } from './Dialog.js';

function Opener({ there = true }: { readonly there?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <main id="main">
      <h1>Parts</h1>
      {there && (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title="Price and Delivery">
        <p>Below 5,000</p>
      </Dialog>
    </main>
  );
}

/** A list that opens: what is below moves, and the button's icon is another one then. */
function Places({ onPlace }: { readonly onPlace: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog open onClose={() => {}} title="Where">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        Lagos
        <svg key={String(open)} aria-hidden="true" />
      </button>
      <button type="button" onClick={onPlace}>
        Mushin
      </button>
    </Dialog>
  );
}

/** Its 'Stop' takes the place of 'Remove'. */
function Remover({ onStop }: { readonly onStop: () => void }) {
  const [removes, setRemoves] = useState(false);
  return (
    <Dialog open onClose={() => {}} title="Remove all?">
      {removes ? (
        <button key="stop" type="button" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button key="remove" type="button" onClick={() => setRemoves(true)}>
          Remove
        </button>
      )}
    </Dialog>
  );
}

const opened = () => {
  const view = renderPart(<Opener />);
  const opener = screen.getByRole('button', { name: 'Open' });
  opener.focus();
  fireEvent.click(opener);
  return { ...view, opener };
};

describe('a dialog', () => {
  it('has its title as its name', async () => {
    const { container } = opened();
    expect(screen.getByRole('dialog', { name: 'Price and Delivery' })).toHaveProperty('open', true);
    await expectAccessible(container);
  });

  it('closes by its sign and gives the focus back', () => {
    const { opener } = opened();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener);
  });

  it('gives the focus to the heading of the page where its opener is gone meanwhile', () => {
    const { rerender } = render(<Opener there />);
    const opener = screen.getByRole('button', { name: 'Open' });
    opener.focus();
    fireEvent.click(opener);
    rerender(<Opener there={false} />);
    const close = screen.getByRole('button', { name: 'Close' });
    close.focus();
    fireEvent.click(close);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('closes by Escape and by a press on what is behind it, not on itself', () => {
    opened();
    const dialog = screen.getByRole('dialog');
    fireEvent.mouseDown(screen.getByText('Below 5,000'));
    expect(screen.queryByRole('dialog')).not.toBeNull();
    fireEvent.mouseDown(dialog);
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Open' }));
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  describe('that the first click of a double click has opened', () => {
    const at = (clientX: number) => ({ clientX, clientY: 300, detail: 1 });
    const press = (target: HTMLElement, clientX: number) => {
      fireEvent.mouseDown(target, at(clientX));
      fireEvent.click(target, at(clientX));
    };
    const opened = () => {
      render(<Opener />);
      press(screen.getByRole('button', { name: 'Open' }), 200);
    };
    const close = () => screen.getByRole('button', { name: 'Close' });

    it('is not answered by the second, on a button of its own or beside it', () => {
      opened();
      press(close(), 203);
      press(screen.getByRole('dialog'), 203);
      expect(screen.queryByRole('dialog')).not.toBeNull();
    });

    it('is answered by a press elsewhere, by a later one and from the keyboard', () => {
      const now = vi.spyOn(performance, 'now');
      const wait = () => now.mockReturnValue(performance.now() + 600);
      for (const answer of [
        () => press(close(), 240),
        () => {
          wait();
          press(close(), 200);
        },
        () => fireEvent.click(close(), { detail: 0 }),
      ]) {
        wait();
        opened();
        answer();
        expect(screen.queryByRole('dialog')).toBeNull();
        cleanup();
      }
      now.mockRestore();
    });
  });

  it.each([
    ['a button of its own', () => screen.getByRole('button', { name: 'Close' })],
    ['a press beside it', () => screen.getByRole('dialog')],
  ])(
    'that %s has closed keeps the second click of a double click from the page below',
    (_, closer) => {
      render(<Opener />);
      const below = screen.getByRole('button', { name: 'Open' });
      fireEvent.click(below);
      const place = { clientX: 1_100, clientY: 300 };
      fireEvent.mouseDown(closer(), { ...place, detail: 1 });
      if (screen.queryByRole('dialog') !== null) fireEvent.click(closer(), { ...place, detail: 1 });
      const isOpen = () => screen.queryByRole('dialog') !== null;
      expect(isOpen()).toBe(false);
      expect(fireEvent.click(below, { ...place, detail: 2 })).toBe(false);
      expect(isOpen()).toBe(false);
      fireEvent.click(below, { ...place, clientX: 1_140, detail: 1 });
      expect(isOpen()).toBe(true);
    },
  );

  it('is not answered by a double click on what another button takes the place of', () => {
    const onStop = vi.fn();
    render(<Remover onStop={onStop} />);
    const place = { clientX: 500, clientY: 300 };
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }), { ...place, detail: 1 });
    const stop = screen.getByRole('button', { name: 'Stop' });
    fireEvent.click(stop, { ...place, detail: 2 });
    expect(onStop).not.toHaveBeenCalled();
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 600);
    fireEvent.click(stop, { ...place, detail: 1 });
    fireEvent.click(stop, { ...place, detail: 2 });
    expect(onStop).toHaveBeenCalledTimes(2);
    now.mockRestore();
  });

  it('is not answered by a double click on what another button has moved to', () => {
    const onPlace = vi.fn();
    render(<Places onPlace={onPlace} />);
    const place = { clientX: 700, clientY: 300 };
    fireEvent.click(screen.getByRole('button', { name: 'Lagos' }), { ...place, detail: 1 });
    fireEvent.click(screen.getByRole('button', { name: 'Mushin' }), { ...place, detail: 2 });
    expect(onPlace).not.toHaveBeenCalled();
  });

  it('hears two quick presses of one button, also where its icon is another one then', () => {
    render(<Places onPlace={() => {}} />);
    const lagos = screen.getByRole('button', { name: 'Lagos' });
    const press = (detail: number) => {
      const icon = lagos.querySelector('svg');
      if (icon !== null) fireEvent.click(icon, { clientX: 900, clientY: 300, detail });
    };
    press(1);
    expect(lagos.getAttribute('aria-expanded')).toBe('true');
    press(2);
    expect(lagos.getAttribute('aria-expanded')).toBe('false');
  });

  it('stays on a press on its own scrollbar', () => {
    opened();
    const dialog = screen.getByRole('dialog');
    vi.spyOn(dialog, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 100, 560, 400));
    fireEvent.mouseDown(dialog, { clientX: 655, clientY: 300 });
    expect(screen.queryByRole('dialog')).not.toBeNull();
    fireEvent.mouseDown(dialog, { clientX: 665, clientY: 300 });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('stands while something is being sent, whatever is pressed', () => {
    const onClose = vi.fn();
    const onYes = vi.fn();
    renderPart(
      <Dialog
        open
        busy
        onClose={onClose}
        title="Remove it?"
        foot={
          <ConfirmButtons no="Keep it" onNo={onClose} onYes={onYes} busy>
            Remove
          </ConfirmButtons>
        }
      >
        <p>This cannot be taken back.</p>
      </Dialog>,
    );
    const dialog = screen.getByRole('dialog');
    for (const name of ['Close', 'Keep it', 'Remove']) {
      const button = screen.getByRole('button', { name });
      expect(button.getAttribute('aria-disabled')).toBe('true');
      fireEvent.click(button);
    }
    fireEvent.mouseDown(dialog);
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(onClose).not.toHaveBeenCalled();
    expect(onYes).not.toHaveBeenCalled();
  });

  it('stands as long as its page wants, although the browser closes it', () => {
    renderPart(
      <Dialog open onClose={() => {}} title="Uploading your product">
        <p>Keep this page open.</p>
      </Dialog>,
    );
    const dialog = screen.getByRole<HTMLDialogElement>('dialog');
    // As Chrome does at the second Escape in a row, whatever the first was answered.
    act(() => dialog.close());
    expect(dialog.open).toBe(true);
  });
});
