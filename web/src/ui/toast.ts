/** How long a toast stays, in ms, unless its screen says otherwise. */
export const TOAST_MS = 5_000;

interface ToastOptions {
  /** A bold first line. */
  readonly title?: string;
  /** In ms. */
  readonly duration?: number;
  /** Undo, where there is one. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

export interface ToastRequest extends ToastOptions {
  readonly kind: 'ok' | 'err' | 'info';
  readonly text: string;
}

type Deliver = (request: ToastRequest) => void;

let deliver: Deliver | undefined;
const waiting: ToastRequest[] = [];

function say(request: ToastRequest): void {
  if (deliver === undefined) waiting.push(request);
  else deliver(request);
}

/** Says something at the top centre, also to readers. What is said before the toaster has loaded waits for it. */
export const toast = {
  success: (text: string, options: ToastOptions = {}) => say({ ...options, kind: 'ok', text }),
  error: (text: string, options: ToastOptions = {}) => say({ ...options, kind: 'err', text }),
  info: (text: string, options: ToastOptions = {}) => say({ ...options, kind: 'info', text }),
};

/** The toaster takes what is said from now on, and what waited for it. Answers how to let go. */
export function takeToasts(by: Deliver): () => void {
  deliver = by;
  for (const request of waiting.splice(0)) by(request);
  return () => {
    if (deliver === by) deliver = undefined;
  };
}
