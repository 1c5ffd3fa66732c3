/** How long a toast stays by default, in ms. */
export const TOAST_MS = 5_000;

interface ToastOptions {
  /** A bold first line. */
  readonly title?: string;
  /** In ms. */
  readonly duration?: number;
  /** An action such as Undo. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

export interface ToastRequest extends ToastOptions {
  readonly kind: 'ok' | 'err' | 'info';
  readonly text: string;
}

type ToastHandler = (request: ToastRequest) => void;

let toaster: ToastHandler | undefined;
const waiting: ToastRequest[] = [];

function show(request: ToastRequest): void {
  if (toaster === undefined) waiting.push(request);
  else toaster(request);
}

/** Shows a toast at the top centre, announced by screen readers. Until the toaster has loaded, toasts wait. */
export const toast = {
  success: (text: string, options: ToastOptions = {}) => show({ ...options, kind: 'ok', text }),
  error: (text: string, options: ToastOptions = {}) => show({ ...options, kind: 'err', text }),
  info: (text: string, options: ToastOptions = {}) => show({ ...options, kind: 'info', text }),
};

/** Registers the toaster, which first gets the waiting toasts. @returns a function that unregisters it */
export function registerToaster(handler: ToastHandler): () => void {
  toaster = handler;
  for (const request of waiting.splice(0)) handler(request);
  return () => {
    if (toaster === handler) toaster = undefined;
  };
}
