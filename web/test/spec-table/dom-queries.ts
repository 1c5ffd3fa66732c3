import type { Expected } from './expected.js';

const selectors = {
  text: 'body *',
  heading: 'h1, h2, h3, h4, [role=heading]',
  button: 'button, [role=button]',
  link: 'a[href]',
  alert: '[role=alert]',
  status: '[role=status]',
  option: 'option',
  dialog: 'dialog[open], [role=dialog]',
} as const;

/** How the page shows a text; the last four are states of the element with that name. */
export type Kind =
  | keyof typeof selectors
  | 'placeholder'
  | 'label'
  | 'toast'
  | 'address'
  | 'disabled'
  | 'enabled'
  | 'checked'
  | 'absent';

const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The visible text: without visually hidden parts, and without aria-hidden ones such as the asterisk. */
export function visibleText(element: Element): string {
  let words = '';
  for (const node of element.childNodes) {
    if (node instanceof Element) {
      const unseen =
        node.classList.contains('layout-visuallyHidden') ||
        node.getAttribute('aria-hidden') === 'true';
      if (!unseen) words += visibleText(node);
    } else words += node.textContent ?? '';
  }
  return words;
}

function accessibleNames(element: Element): readonly string[] {
  const labelled = document.getElementById(element.getAttribute('aria-labelledby') ?? '');
  return [
    element.getAttribute('aria-label'),
    labelled && visibleText(labelled),
    element.querySelector('img')?.getAttribute('alt') ?? null,
    visibleText(element),
    element.textContent,
  ].flatMap((name) => (name === null ? [] : [collapseSpaces(name)]));
}

export function matches(expected: Expected, text: string): boolean {
  return expected instanceof RegExp ? expected.test(text) : String(expected) === text;
}

export const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];

/** The elements of a kind with that name. */
export function findByName(kind: keyof typeof selectors, name: Expected): readonly HTMLElement[] {
  const page = document.body.textContent ?? '';
  if (kind === 'text' && typeof name === 'string' && !collapseSpaces(page).includes(name))
    return [];
  return all(selectors[kind]).filter((element) =>
    kind === 'text'
      ? matches(name, collapseSpaces(element.textContent ?? ''))
      : accessibleNames(element).some((one) => matches(name, one)),
  );
}

/** The controls with that label. */
export function findByLabel(name: Expected): readonly HTMLElement[] {
  const byLabel = all('label')
    .filter((label) => matches(name, collapseSpaces(visibleText(label))))
    .flatMap((label) => {
      const own = label.getAttribute('for');
      const control =
        own === null
          ? label.querySelector('input, select, textarea')
          : document.getElementById(own);
      return control instanceof HTMLElement ? [control] : [];
    });
  const direct = all('input, select, textarea, [role=slider], button[aria-labelledby]').filter(
    (control) =>
      matches(name, control.getAttribute('aria-label') ?? '') ||
      (control.getAttribute('aria-labelledby') ?? '')
        .split(' ')
        .some((id) =>
          matches(name, collapseSpaces(visibleText(document.getElementById(id) ?? control))),
        ),
  );
  return [...byLabel, ...direct];
}

export function placeholders(): readonly string[] {
  return all('input, textarea').flatMap((input) => input.getAttribute('placeholder') ?? []);
}

/** The texts of the toasts on the page: title, description, and both together. */
export function toasts(): readonly string[] {
  return all('[data-sonner-toast]:not([data-removed=true]) [data-toast]').flatMap((toast) => {
    const title = toast.querySelector('b')?.textContent ?? '';
    const words = collapseSpaces(toast.querySelector('p')?.textContent ?? '');
    return [title, words.slice(title.length), words];
  });
}

/** Whether a control is off. A busy one uses aria-disabled, which keeps the focus. */
export const isDisabled = (element: HTMLElement) =>
  element.hasAttribute('disabled') || element.getAttribute('aria-disabled') === 'true';

/** Whether the page shows the text in that way now. */
export function shows(kind: Exclude<Kind, 'address'>, expected: Expected): boolean {
  switch (kind) {
    case 'placeholder':
      return placeholders().some((text) => matches(expected, text));
    case 'label':
      return findByLabel(expected).length > 0;
    case 'toast':
      return toasts().some((text) => matches(expected, text));
    case 'disabled':
      return findByName('button', expected).some(isDisabled);
    case 'enabled':
      return findByName('button', expected).some((button) => !isDisabled(button));
    case 'checked':
      return findByLabel(expected).some((box) => box.matches(':checked'));
    case 'absent':
      return (
        findByName('text', expected).length + findByName('button', expected).length === 0 &&
        findByName('link', expected).length + findByLabel(expected).length === 0 &&
        !placeholders().some((text) => matches(expected, text))
      );
    default:
      return findByName(kind, expected).length > 0;
  }
}
