import { useEffect, useRef, useState } from 'react';

/** After a press that did not go through, the focus goes to the form's first wrong field, once it is drawn as wrong. */
export function useFocusWrong() {
  const form = useRef<HTMLFormElement>(null);
  const [presses, setPresses] = useState(0);
  useEffect(() => {
    if (presses > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [presses]);
  return { form, focusWrong: () => setPresses((count) => count + 1) };
}
