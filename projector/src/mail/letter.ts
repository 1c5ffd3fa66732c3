import type { LetterKind } from '@oja/contracts/models';
import type { Letter } from '@oja/platform';

/** The content of a letter, without its recipient. */
export interface Content {
  readonly title: string;
  readonly text: string;
  readonly html: string;
}

type LetterBlock =
  /** Its line breaks are kept: people write addresses and lists so. */
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Each row: a label and an amount. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'link'; readonly label: string; readonly address: string };

export const paragraph = (text: string): LetterBlock => ({ kind: 'paragraph', text });
export const table = (rows: readonly (readonly [string, string])[]): LetterBlock => ({
  kind: 'table',
  rows,
});
export const link = (label: string, address: string): LetterBlock => ({
  kind: 'link',
  label,
  address,
});

/**
 * Renders a letter as plain text, and as simple HTML that even old mail programs can show. It names no colours, so that it is
 * read in those of the mail program, light or dark.
 */
export function render(title: string, parts: readonly LetterBlock[]): Content {
  return {
    title,
    text: `${parts.map(toPlainText).join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title></head>`,
      '<body style="font-family:sans-serif;font-size:16px;line-height:1.5">',
      ...parts.map(toHtml),
      '</body></html>',
      '',
    ].join('\n'),
  };
}

function toPlainText(part: LetterBlock): string {
  switch (part.kind) {
    case 'paragraph':
      return part.text;
    case 'table':
      return part.rows.map(([what, amount]) => `  ${what}: ${amount}`).join('\n');
    case 'link':
      return `${part.label}:\n${part.address}`;
  }
}

function toHtml(part: LetterBlock): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p>${escapeHtml(part.text).replaceAll(/\r?\n/g, '<br>')}</p>`;
    case 'table':
      return `<table cellpadding="4">${part.rows.map(row).join('')}</table>`;
    case 'link':
      return `<p><a href="${escapeHtml(part.address)}">${escapeHtml(part.label)}</a></p>`;
  }
}

function row([what, amount]: readonly [string, string]): string {
  return `<tr><td>${escapeHtml(what)}</td><td align="right">${escapeHtml(amount)}</td></tr>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

export function greeting(name: string | null): string {
  return name === null ? 'Hello,' : `Hello ${name},`;
}

/**
 * A letter ready to be sent. `subject`: whose letter it is, a key subject such as `seller:<id>`. `part` distinguishes
 * letters of one kind with the same subject.
 */
export function toLetter(
  kind: LetterKind,
  subject: string,
  to: string,
  content: Content,
  part?: string,
): Letter {
  const id = `${kind}-${subject.replace(':', '-')}`;
  return { id: part === undefined ? id : `${id}-${part}`, subject, to, ...content };
}
